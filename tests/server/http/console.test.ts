/** A server whose console is not built. */
import { expect, test } from 'vitest'
import { startServer, temporaryFolder } from '../support/harness.ts'

const { app } = await startServer({ consoleFolder: await temporaryFolder() })

test('pages are answered with when to come back, and the API answers', async () => {
  const page = await app.inject('/devices')
  expect(page.statusCode).toBe(503)
  expect(page.headers).toMatchObject({ 'retry-after': '60', 'cache-control': 'no-store' })
  expect(page.body).toContain('npm run build')
  expect((await app.inject('/health/live')).statusCode).toBe(200)
})
