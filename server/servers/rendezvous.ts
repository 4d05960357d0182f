/**
 * Divides keys among servers without a table that they would have to agree on (rendezvous hashing): each server gives each
 * key a number, and the highest one has it. So a server that comes or goes moves only its own share.
 */
import { hashOf, mixed } from '../../src/domain/lib/hash.ts'

/** Returns a function that returns which of these servers has a key; without servers `undefined`. */
export function rendezvous(servers: readonly string[]): (key: string) => string | undefined {
  // In an order of their own, so that all servers choose the same one of two with the same number.
  const hashed = servers.toSorted().map(server => ({ server, hash: hashOf(server) }))
  return key => {
    const keyHash = hashOf(key)
    let highest = -1
    let chosen: string | undefined
    for (const { server, hash } of hashed) {
      const number = mixed(hash ^ keyHash)
      if (number <= highest) continue
      highest = number
      chosen = server
    }
    return chosen
  }
}
