/** Renaming so that the new name survives a power cut. */
import { closeSync, fsyncSync, openSync } from 'node:fs'
import { open, rename } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Renames a folder whose files are on the disk, and writes the names in it and its own to the disk. */
export async function moveIntoPlace(from: string, to: string): Promise<void> {
  await fsyncFolder(from)
  await renameDurably(from, to)
}

/** Renames a file or folder, and writes its new name to the disk. */
export async function renameDurably(from: string, to: string): Promise<void> {
  await rename(from, to)
  await fsyncFolder(dirname(to))
}

/** Writes the names of the files in a folder to the disk. */
export async function fsyncFolder(path: string): Promise<void> {
  // Windows cannot open a folder; it writes names itself.
  if (process.platform === 'win32') return
  const folder = await open(path)
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

/** Does the same as `fsyncFolder`, and blocks the process until it is done. */
export function fsyncFolderBlocking(path: string): void {
  if (process.platform === 'win32') return
  const folder = openSync(path, 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}
