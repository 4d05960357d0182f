import { closeSync, openSync, statfsSync, writeSync } from 'node:fs'

const chunk = Buffer.alloc(1024 * 1024)

/** Writes a file until so many bytes of the file system are free. */
export function fillDisk(path: string, folder: string, left: number): void {
  const file = openSync(path, 'w')
  try {
    for (;;) {
      const { bavail, bsize } = statfsSync(folder)
      const missing = bavail * bsize - left
      if (missing <= 0) return
      writeSync(file, chunk, 0, Math.min(chunk.length, missing))
    }
  } catch (error) {
    // PostgreSQL may take the last bytes at the same time.
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error
  } finally {
    closeSync(file)
  }
}
