/** Yields the bytes in slices of at most `size`, without copying them. */
export function* slicesOf(bytes: Buffer, size: number): Generator<Buffer, void> {
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size)
}

/** Bytes of a slice for what reads a file piece by piece. */
export const sliceSize = 64 * 1024
