/**
 * Divides keys among servers without a table that they would have to agree on (rendezvous hashing): each server gives each
 * key a number, and the highest one has it. So a server that comes or goes moves only its own share.
 */

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

/** Returns the 32 bits of a text's FNV-1a hash, mixed. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return mixed(hash)
}

/** Returns a number of 32 bits, each of which depends on all bits of the given one (the last step of MurmurHash3). */
function mixed(bits: number): number {
  let hash = bits ^ (bits >>> 16)
  hash = Math.imul(hash, 0x85ebca6b)
  hash ^= hash >>> 13
  hash = Math.imul(hash, 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
