/**
 * Divides keys among servers that share no state (rendezvous hashing): each pair of a server and a key has a hash, and a key
 * belongs to the server with the highest one. So a server that comes or goes moves only its own keys.
 */
import { hashOf, mixed } from '../../src/domain/lib/hash.ts'

/** Returns a function that returns which of these servers has a key; without servers `undefined`. */
export function rendezvous(servers: readonly string[]): (key: string) => string | undefined {
  // Sorted, so that every server chooses the same one of two equal hashes.
  const hashed = servers.toSorted().map(server => ({ server, hash: hashOf(server) }))
  return key => {
    const keyHash = hashOf(key)
    let highest = -1
    let chosen: string | undefined
    for (const { server, hash } of hashed) {
      const pairHash = mixed(hash ^ keyHash)
      if (pairHash <= highest) continue
      highest = pairHash
      chosen = server
    }
    return chosen
  }
}
