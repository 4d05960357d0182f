/** Data folders with an embedded database, for tests that start and kill what uses them. */
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, inject, onTestFinished } from 'vitest'
import type { Log } from '../../../../server/core/log.ts'
import { openEmbedded, type EmbeddedOptions } from '../../../../server/embedded/openEmbedded.ts'
import { dataOf, postgresFolder } from '../../../../server/embedded/layout.ts'
import { readPidFile } from '../../../../server/embedded/pidFile.ts'
import { scratchParent } from '../../../support/scratch.ts'
import { until } from '../../../support/until.ts'

/** Creates an empty folder, which is removed after the test, once no PostgreSQL works in it. */
export async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(join(scratchParent(), 'permeate-data-'))
  onTestFinished(async () => {
    // The watchdog of a killed server is still ending it.
    await until(() => expect(processesIn(folder)).toEqual([]))
    await rm(folder, { recursive: true, force: true })
  })
  return folder
}

/** A data folder with a migrated database, which all tests of this worker copy: creating one takes seconds. `globalSetup.ts` removes it. */
let template: Promise<string> | undefined

async function createTemplate(): Promise<string> {
  const folder = await mkdtemp(join(inject('dataTemplates'), 'data-'))
  const database = await openEmbedded({ dataDir: folder, kind: 'postgres', demo: false, log: recordedLog() })
  await database.close()
  return folder
}

/** Creates a data folder with a migrated database; it is removed after the test. */
export async function dataFolder(): Promise<string> {
  const folder = await emptyFolder()
  // As root, `cp` keeps the owner, whom PostgreSQL needs.
  execFileSync('cp', ['-a', `${await (template ??= createTemplate())}/.`, folder])
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
  return { ...database, close }
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

/**
 * Returns the processes that work in the database of a data folder: PostgreSQL's and those of its connections. Always
 * none where there is no /proc.
 */
export function processesIn(dataDir: string): number[] {
  if (!existsSync('/proc')) return []
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
