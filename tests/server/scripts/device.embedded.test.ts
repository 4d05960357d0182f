/** `npm run device` beside a server with an embedded database, which one process at a time may open. */
import { execFile } from 'node:child_process'
import { expect, test } from 'vitest'
import { root } from '../../../scripts/programs.ts'
import { open } from '../../../server/db/database.ts'
import { temporaryFolder } from '../support/harness.ts'

test('an embedded database that the server has open is left alone', async () => {
  const dataDir = await temporaryFolder()
  const { close } = await open({ databaseUrl: undefined, dataDir })
  const env = { ...process.env, DATA_DIR: dataDir }
  const { code, err } = await new Promise<{ code: unknown; err: string }>(resolve => {
    execFile(process.execPath, ['scripts/device.ts', 'passwords'], { cwd: root, env }, (error, _out, text) =>
      resolve({ code: error?.code, err: text }),
    )
  })
  await close()
  expect(code).toBe(1)
  expect(err).toMatch(/^The data folder .* is in use by process \d+\. Stop that process/)
})
