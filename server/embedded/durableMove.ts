/** Renaming a folder so that the new name survives a power cut. */
import { open, rename } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Renames a folder whose files are on the disk, and writes the folder that contains it to the disk. */
export async function moveIntoPlace(from: string, to: string): Promise<void> {
  await rename(from, to)
  // Windows cannot open a folder; it writes names itself.
  if (process.platform === 'win32') return
  const parent = await open(dirname(to))
  try {
    await parent.sync()
  } finally {
    await parent.close()
  }
}
