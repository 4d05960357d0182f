/** `npm run device` beside a server with an embedded database, which one process at a time may open. */
import { execFile } from 'node:child_process'
import { expect, test } from 'vitest'
import { root } from '../../../scripts/programs.ts'
import { open } from '../../../server/db/database.ts'
import { temporaryFolder } from '../support/harness.ts'

const dataDir = await temporaryFolder()

/** Runs the script on the data folder; its exit code and what it wrote to stderr. */
const writePasswords = () =>
  new Promise<{ code: unknown; err: string }>(resolve => {
    const env = { ...process.env, DATA_DIR: dataDir }
    execFile(process.execPath, ['scripts/device.ts', 'passwords'], { cwd: root, env }, (error, _out, err) =>
      resolve({ code: error === null ? 0 : error.code, err }),
    )
  })

test('is refused while the server has the database open, and allowed once it is closed', async () => {
  const { close } = await open({ databaseUrl: undefined, dataDir })
  const refused = await writePasswords()
  await close()
  expect(refused.code).toBe(1)
  expect(refused.err).toMatch(/^The data folder .* is in use by process \d+\. Stop that process/)
  expect(await writePasswords()).toEqual({ code: 0, err: '' })
})
