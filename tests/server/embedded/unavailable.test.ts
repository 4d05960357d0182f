/** A database that does not answer: calls are answered soon, and go on when it does again. */
import { sql } from 'drizzle-orm'
import { expect, onTestFinished, test } from 'vitest'
import { databaseFailure } from '../../../server/db/state.ts'
import { freePort } from '../../support/ports.ts'
import { until } from '../../support/until.ts'
import { dataFolder, openIn, postgresIn, processesIn, recordedLog } from '../support/processes/dataFolder.ts'
import { startProcess, type ServerProcess } from '../support/processes/serverProcess.ts'

/** Milliseconds: a server is started. */
const timeout = 120_000
const superadmin = { SUPERADMIN_LOGIN: 'root', SUPERADMIN_PASSWORD: 'correct horse battery' }

async function serve(dataDir: string) {
  const ports = { PORT: String(await freePort()), MQTT_PORT: String(await freePort()) }
  const server = await startProcess({ ...superadmin, ...ports, DATA_DIR: dataDir, DATABASE_URL: '', DEMO: 'off' })
  const body = { login: 'root', password: superadmin.SUPERADMIN_PASSWORD }
  const { access_token: token } = await server.call<{ access_token: string }>(
    'POST',
    '/api/v3/auth/login/dashboard',
    undefined,
    body,
  )
  return { server, token }
}

const list = ({ url }: ServerProcess, token: string) =>
  fetch(`${url}/api/v3/admins`, { headers: { 'access-token': token } })

test('a frozen or killed database: calls and the health check are a 503, and go on with it', { timeout }, async () => {
  const dataDir = await dataFolder()
  const { server, token } = await serve(dataDir)
  const frozen = processesIn(dataDir)
  const signalAll = (name: NodeJS.Signals) => {
    for (const pid of frozen) process.kill(pid, name)
  }
  onTestFinished(() => {
    try {
      signalAll('SIGCONT')
    } catch {
      // They have ended.
    }
  })
  signalAll('SIGSTOP')
  const answer = await list(server, token)
  expect(answer.status).toBe(503)
  expect(answer.headers.get('retry-after')).toBe('5')
  expect(await answer.json()).toEqual({ message: 'The database is not available, please try again later' })
  expect((await fetch(`${server.url}/health`)).status).toBe(503)
  signalAll('SIGCONT')
  await until(async () => expect((await list(server, token)).status).toBe(200))

  process.kill(postgresIn(dataDir)!, 'SIGKILL')
  const statuses = new Set<number>()
  await until(async () => {
    const { status } = await list(server, token)
    statuses.add(status)
    expect([...statuses].toSorted((a, b) => a - b)).toEqual([200, 503])
    expect(status).toBe(200)
  })
  expect((await fetch(`${server.url}/health`)).status).toBe(200)
})

test('a statement of a person’s call has a time-out, one of the server itself has none', { timeout }, async () => {
  const dataDir = await dataFolder()
  const database = await openIn(dataDir)
  const serving = database.serve({ reserve: 0, log: recordedLog(), statementTimeout: 50 })
  try {
    const failure = await serving.db.execute(sql`select pg_sleep(30)`).then(
      () => undefined,
      (error: unknown) => databaseFailure(error),
    )
    expect(failure).toMatchObject({ status: 503, messages: expect.stringContaining('took too long') })
    expect((await serving.db.execute(sql`show statement_timeout`)).rows).toEqual([{ statement_timeout: '50ms' }])
    expect((await database.db.execute(sql`show statement_timeout`)).rows).toEqual([{ statement_timeout: '0' }])
  } finally {
    await serving.close()
  }
})
