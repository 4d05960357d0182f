import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, writeFileSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { root } from '../../../scripts/programs.ts'
import { FolderError, FolderInUse, lockFolder } from '../../../server/core/folderLock.ts'
import { temporaryFolder } from '../support/harness.ts'

const folders = await temporaryFolder()
const fresh = () => mkdtemp(join(folders, 'data-'))

/** Starts a process that locks the folder and waits; resolves once it has the lock. */
async function lockElsewhere(folder: string) {
  const module = join(root, 'server/core/folderLock.ts')
  const script = `import(${JSON.stringify(module)}).then(({ lockFolder }) => {
    lockFolder(${JSON.stringify(folder)}); console.log('locked'); setInterval(() => 0, 1000) })`
  const holder = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void holder.kill('SIGKILL'))
  await once(holder.stdout, 'data')
  return {
    pid: holder.pid,
    kill: async () => {
      const exited = once(holder, 'exit')
      holder.kill('SIGKILL')
      await exited
    },
  }
}

test('a folder is locked once, and again after it was unlocked', async () => {
  const folder = join(await fresh(), 'data')
  const unlock = lockFolder(folder)
  expect(() => lockFolder(folder)).toThrow(FolderInUse)
  unlock()
  lockFolder(folder)()
})

test('the error names the process, its host and since when', async () => {
  const folder = await fresh()
  const { pid } = await lockElsewhere(folder)
  expect(() => lockFolder(folder)).toThrow(
    new RegExp(`^The data folder .* is in use by process ${pid} on ${hostname()} since 20.*Z\\. Stop that process`),
  )
})

test('the lock of a killed process is given back by the system', async () => {
  const folder = await fresh()
  const holder = await lockElsewhere(folder)
  await holder.kill()
  expect(existsSync(join(folder, 'permeate.holder.json'))).toBe(true)
  lockFolder(folder)()
  expect(existsSync(join(folder, 'permeate.holder.json'))).toBe(false)
})

test('a holder with the id of this process, as in another container, is refused all the same', async () => {
  const folder = await fresh()
  await lockElsewhere(folder)
  const holder = { pid: process.pid, host: 'container', since: '2026-01-01T00:00:00.000Z' }
  writeFileSync(join(folder, 'permeate.holder.json'), JSON.stringify(holder))
  expect(() => lockFolder(folder)).toThrow(`in use by process ${process.pid} on container`)
})

test('a folder that cannot be created or locked is named in the error', async () => {
  const folder = await fresh()
  writeFileSync(join(folder, 'file'), '')
  expect(() => lockFolder(join(folder, 'file', 'data'))).toThrow(/^Could not create the data folder .*data/)
  writeFileSync(join(folder, 'permeate.sqlite-lock'), 'not a lock '.repeat(100))
  expect(() => lockFolder(folder)).toThrow(FolderError)
  expect(() => lockFolder(folder)).toThrow(/^Could not lock .*permeate\.sqlite-lock: file is not a database/)
})
