/** `npm run device` while a server uses the embedded database, which one process at a time can open. */
import { execFile } from 'node:child_process'
import { expect, test } from 'vitest'
import { root } from '../../../scripts/programs.ts'
import { open } from '../../../server/db/database.ts'
import { temporaryFolder } from '../support/harness.ts'

const dataDir = await temporaryFolder()

/** Runs the script on the data folder, and returns its exit code and its errors. */
const writePasswords = () =>
  new Promise<{ code: unknown; err: string }>(resolve => {
    const env = { ...process.env, DATA_DIR: dataDir }
    execFile(process.execPath, ['scripts/device.ts', 'passwords'], { cwd: root, env }, (error, _out, err) =>
      resolve({ code: error === null ? 0 : error.code, err }),
    )
  })

test('the command refuses an embedded database that a server has open, and runs once it is closed', async () => {
  const { close } = await open({ databaseUrl: undefined, dataDir })
  const refused = await writePasswords()
  await close()
  expect(refused.code).toBe(1)
  expect(refused.err).toMatch(/^The data folder .* is in use by process \d+\. Stop that process/)
  expect(await writePasswords()).toEqual({ code: 0, err: '' })
})
