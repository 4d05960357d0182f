/** Hashes of 32 bits, for spreading things evenly and not for secrets. */

/** Returns the 32 bits of a text's FNV-1a hash, mixed, so that similar texts give unrelated numbers. */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return mixed(hash)
}

/** Returns a number of 32 bits in which each bit depends on all bits of `bits`: the finalizer of MurmurHash3. */
export function mixed(bits: number): number {
  let hash = bits ^ (bits >>> 16)
  hash = Math.imul(hash, 0x85ebca6b)
  hash ^= hash >>> 13
  hash = Math.imul(hash, 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
