/** Data folders with an embedded database, for tests that start and kill what uses them. */
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Log } from '../../../server/core/log.ts'
import { openEmbedded, type EmbeddedOptions } from '../../../server/embedded/openEmbedded.ts'
import { dataOf, postgresFolder } from '../../../server/embedded/layout.ts'
import { readPidFile } from '../../../server/embedded/pidFile.ts'

/** Creates an empty folder in `parent`, which is removed after the test. */
export async function dataFolder(parent = tmpdir()): Promise<string> {
  const folder = await mkdtemp(join(parent, 'permeate-data-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** A log that can be read. */
export function recordedLog(): Log & { readonly lines: string[] } {
  const lines: string[] = []
  return {
    lines,
    info: text => void lines.push(text),
    error: (text, error) => void lines.push(`${text}: ${String(error)}`),
  }
}

/** Opens the embedded database of a folder; it is closed after the test at the latest. */
export async function openIn(dataDir: string, options: Partial<EmbeddedOptions> = {}) {
  const database = await openEmbedded({ dataDir, kind: undefined, demo: false, log: recordedLog(), ...options })
  let closing: Promise<void> | undefined
  const close = () => (closing ??= database.close())
  onTestFinished(close)
  return { db: database.db, close }
}

/** Returns the id of the PostgreSQL that runs in a data folder, as it says itself. */
export const postgresIn = (dataDir: string) => readPidFile(postgresFolder(dataDir))?.pid

/** Returns whether a process runs; one that has ended and waits for its parent does not. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  const status = `/proc/${pid}/stat`
  return !existsSync(status) || !/\) Z /.test(readFileSync(status, 'utf8'))
}

/** Returns the processes that work in the database of a data folder: PostgreSQL's and those of its connections (Linux). */
export function processesIn(dataDir: string): number[] {
  const folder = dataOf(postgresFolder(dataDir))
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .filter(name => readlink(`/proc/${name}/cwd`) === folder)
    .map(Number)
}

function readlink(path: string): string | undefined {
  try {
    return readlinkSync(path)
  } catch {
    return undefined
  }
}
