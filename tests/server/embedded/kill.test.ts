/** Servers and databases that are killed: nothing is lost, and nothing is left behind. */
import { sql } from 'drizzle-orm'
import { chownSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { AuditEntry } from '../../../src/api/contract/audit.ts'
import { deviceValues } from '../../../server/db/schema/deviceValues.ts'
import { demoPassword } from '../../../server/demo/catalogue.ts'
import { seedDemo } from '../../../server/demo/seed.ts'
import { dataOf, pidFileOf, postgresFolder } from '../../../server/embedded/layout.ts'
import { readPidFile } from '../../../server/embedded/pidFile.ts'
import { freePort } from '../../support/ports.ts'
import { until } from '../../support/until.ts'
import { dataFolder, isRunning, openIn, postgresIn, processesIn, recordedLog } from '../support/processes/dataFolder.ts'
import { startProcess, type ServerProcess } from '../support/processes/serverProcess.ts'

/** Milliseconds: several servers are started one after the other. */
const timeout = 120_000

const superadmin = { SUPERADMIN_LOGIN: 'root', SUPERADMIN_PASSWORD: 'correct horse battery' }
const login = { login: 'root', password: superadmin.SUPERADMIN_PASSWORD }

/** Starts a server on a data folder, by default without demo. */
async function serve(dataDir: string, settings: Readonly<Record<string, string>> = { ...superadmin, DEMO: 'off' }) {
  const ports = { PORT: String(await freePort()), MQTT_PORT: String(await freePort()) }
  return startProcess({ ...settings, ...ports, DATA_DIR: dataDir, DATABASE_URL: '' })
}

/** Returns an access token, which needs the account of the first start. */
const signIn = async (server: ServerProcess, as: object = login) =>
  (await server.call<{ access_token: string }>('POST', '/api/v3/auth/login/dashboard', undefined, as)).access_token

/** Returns the watchdogs of a PostgreSQL, which have its process id among their arguments. */
const watchdogsOf = (pid: number) =>
  readdirSync('/proc')
    .filter(name => /^\d+$/.test(name) && argumentsOf(name).includes(`\0permeate-watchdog\0${pid}\0`))
    .map(Number)

function argumentsOf(process: string): string {
  try {
    return readFileSync(`/proc/${process}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    // The processes of PostgreSQL end when its main process has.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

test(
  'a killed server takes its PostgreSQL with it, and the next one has all its data, also at once',
  { timeout },
  async () => {
    const dataDir = await dataFolder()
    const first = await serve(dataDir)
    // While it runs, another one says who uses the folder.
    await expect(serve(dataDir)).rejects.toThrow(/The data folder .* is in use by process \d+ on .* since 20/)
    const pid = postgresIn(dataDir)!
    const left = readPidFile(postgresFolder(dataDir))!.socketFolder
    await first.kill()
    await until(() => expect(isRunning(pid)).toBe(false))
    await until(() => expect(existsSync(left)).toBe(false))
    await until(() => expect(processesIn(dataDir)).toEqual([]))

    const second = await serve(dataDir)
    expect(await signIn(second)).toBeTruthy()

    // The next one starts while the PostgreSQL of the killed one still runs.
    await second.kill()
    const third = await serve(dataDir)
    expect(await signIn(third)).toBeTruthy()
    const { socketFolder } = readPidFile(postgresFolder(dataDir))!
    expect(await third.stop()).toBe(0)
    expect(processesIn(dataDir)).toEqual([])
    expect(existsSync(socketFolder)).toBe(false)
  },
)

test('server, watchdog and PostgreSQL killed at the same moment: the next start recovers', { timeout }, async () => {
  const dataDir = await dataFolder()
  const first = await serve(dataDir)
  const processes = processesIn(dataDir)
  expect(processes.length).toBeGreaterThan(3)
  const watchdogs = watchdogsOf(postgresIn(dataDir)!)
  expect(watchdogs).toHaveLength(1)
  // In this order nothing is started again: the server replaces a watchdog after a second, and PostgreSQL at once.
  watchdogs.forEach(kill)
  const killed = first.kill()
  processes.forEach(kill)
  await killed
  const second = await serve(dataDir)
  expect(await signIn(second)).toBeTruthy()
})

test('lock files that a power cut has left empty do not keep PostgreSQL from starting', { timeout }, async () => {
  const dataDir = await dataFolder()
  const folder = postgresFolder(dataDir)
  const { uid, gid } = statSync(folder)
  for (const path of [pidFileOf(folder), join(dataOf(folder), '.s.PGSQL.5432.lock')]) {
    writeFileSync(path, '')
    chownSync(path, uid, gid)
  }
  const { db } = await openIn(dataDir)
  expect((await db.execute(sql`select 1 as one`)).rows).toEqual([{ one: 1 }])
})

test('a PostgreSQL that is killed is started again, and queries go on', { timeout }, async () => {
  const dataDir = await dataFolder()
  const log = recordedLog()
  const { db } = await openIn(dataDir, { log })
  await db.execute(sql`create table kept (id integer)`)
  await db.execute(sql`insert into kept values (1)`)
  const pid = postgresIn(dataDir)!
  const open = db.transaction(async tx => {
    await tx.execute(sql`insert into kept values (2)`)
    process.kill(pid, 'SIGKILL')
    await tx.execute(sql`select pg_sleep(30)`)
  })
  await expect(open).rejects.toThrow('Failed query')
  await until(async () => expect((await db.execute(sql`select id from kept`)).rows).toEqual([{ id: 1 }]))
  expect(postgresIn(dataDir)).not.toBe(pid)
  await until(() =>
    expect(log.lines).toEqual([
      expect.stringContaining('PostgreSQL exited and is being restarted'),
      'PostgreSQL runs again',
    ]),
  )
})

test('devices have their newest values again after PostgreSQL was killed', { timeout }, async () => {
  const dataDir = await dataFolder()
  const { db } = await openIn(dataDir)
  await seedDemo(db, { fleet: 10 })
  const values = () => db.select().from(deviceValues).orderBy(deviceValues.bssid)
  const before = await values()
  expect(before).toHaveLength(10)
  process.kill(postgresIn(dataDir)!, 'SIGKILL')
  const after = await until(values)
  expect(after).toEqual(before)
})

test('a bulk call that a kill interrupts is in the history, and the next server says so', { timeout }, async () => {
  const dataDir = await dataFolder()
  const demo = { DEMO: 'on', FLEET: '60', HISTORY: '0' }
  const admin = { login: 'admin', password: demoPassword }
  const entry = async (server: ServerProcess) => {
    const path = '/api/v3/audit?search=reboot&limit=10'
    const { data } = await server.call<{ data: AuditEntry[] }>('GET', path, await signIn(server, admin))
    expect(data).toHaveLength(1)
    return data[0]!
  }
  const first = await serve(dataDir, demo)
  const token = await signIn(first, admin)
  const { data } = await first.call<{ data: { bssid: string }[] }>('GET', '/api/v3/devices?limit=59', token)
  const ids = data.map(({ bssid }) => bssid)
  // No device is connected, so the call waits for their answers.
  const rebooting = first.call('POST', '/api/v3/devices/reboot', token, { ids }).then(
    () => 'answered',
    (error: unknown) => String(error),
  )
  await until(async () => expect(await entry(first)).toMatchObject({ outcome: 'started', ids, login: 'admin' }))
  await first.kill()
  expect(await rebooting).toContain('fetch failed')
  const second = await serve(dataDir, demo)
  expect(await entry(second)).toMatchObject({ outcome: 'interrupted', ids, login: 'admin', address: '127.0.0.1' })
})
