/** `npm run device`: creating and exporting device credentials on the command line. */
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { desc, eq, ne } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import { Client } from 'pg'
import { expect, inject, onTestFinished, test } from 'vitest'
import { newId } from '../../../server/db/id.ts'
import { countMigrations, knownMigrations, migrate } from '../../../server/db/migrations.ts'
import { addressOf, openPostgres } from '../../../server/db/postgres.ts'
import { audit } from '../../../server/db/schema/audit.ts'
import { devices } from '../../../server/db/schema/devices.ts'
import { deviceCredentials } from '../../../server/db/schema/wire.ts'
import { verifySecret } from '../../../server/devices/gateway/credentials.ts'
import { FleetDevice } from '../../../server/protocol/fleetFile.ts'
import { wireName } from '../../../server/protocol/topics.ts'
import { createDatabase, dropDatabase } from '../../support/postgres.ts'
import { until } from '../../support/until.ts'
import { openRecordedBus } from '../support/buses/buses.ts'
import { startServer, temporaryFolder } from '../support/harness.ts'
import { runScript } from '../support/processes/runScript.ts'
import { setStatus } from '../support/devices/deviceRows.ts'

const folder = await temporaryFolder()
const { databaseUrl } = await startServer()

const run = (...args: readonly string[]) => runScript('device', args, { DATA_DIR: folder, DATABASE_URL: databaseUrl })
async function hashes(): Promise<Map<string, string>> {
  const { db, close } = await openPostgres(addressOf(databaseUrl))
  const rows = await db.select().from(deviceCredentials)
  await close()
  return new Map(rows.map(({ bssid, hash }) => [bssid, hash]))
}
const fleetOf = (lines: string) =>
  lines
    .trim()
    .split('\n')
    .map(line => FleetDevice.parse(JSON.parse(line)))

test('all devices get secrets in a file that only its owner can read, and in a matching password file', async () => {
  const out = join(folder, 'fleet.jsonl')
  const result = await run('credentials', '--out', out)
  expect(result).toMatchObject({ code: 0, out: '' })
  expect(result.err).toContain(`Created secrets for 120 devices in ${out}. The old secrets no longer work.`)
  expect((await stat(out)).mode & 0o777).toBe(0o600)
  const fleet = fleetOf(await readFile(out, 'utf8'))
  const storedHashes = await hashes()
  expect(fleet).toHaveLength(120)
  for (const { bssid, secret } of fleet) expect(await verifySecret(secret, storedHashes.get(bssid)!)).toBe(true)

  const { out: passwords } = await run('passwords')
  const lines = passwords.trim().split('\n')
  expect(lines).toEqual(fleet.map(({ bssid }) => `${wireName(bssid)}:${storedHashes.get(bssid)}`))
})

test('one given device gets a new secret, and the others keep theirs', async () => {
  const before = await hashes()
  const [bssid] = [...before.keys()].toSorted()
  const { received } = await openRecordedBus(databaseUrl)
  const { code, out } = await run('credentials', wireName(bssid!).toLowerCase())
  expect(code).toBe(0)
  const [device] = fleetOf(out)
  const after = await hashes()
  expect(await verifySecret(device!.secret, after.get(bssid!)!)).toBe(true)
  before.delete(bssid!)
  after.delete(bssid!)
  expect(after).toEqual(before)
  // The gateways end its connection.
  await until(() => expect(received).toContainEqual({ kind: 'credentials', bssids: [bssid] }))
  const { db, close } = await openPostgres(addressOf(databaseUrl))
  const [newest] = await db.select().from(audit).orderBy(desc(audit.id)).limit(1)
  expect(newest).toMatchObject({ action: 'npm run device -- credentials', ids: [bssid], done: 1, outcome: 'done' })
  await close()
})

test('a device that has never reported is ready in the file, so that the simulator connects it', async () => {
  const { db, close } = await openPostgres(addressOf(databaseUrl))
  const [device] = await db.select().from(devices).limit(1)
  const { bssid } = device!
  await setStatus(db, 3, [bssid])
  await db.update(devices).set({ firmware: '' }).where(eq(devices.bssid, bssid))
  await close()
  const { out } = await run('credentials', bssid)
  expect(fleetOf(out)).toMatchObject([{ bssid, status: 0, firmware: '1.0.0' }])
})

test('an offline device is ready in the file, so that the simulator connects it with its new secret', async () => {
  const { db, close } = await openPostgres(addressOf(databaseUrl))
  const [device] = await db.select().from(devices).where(ne(devices.firmware, '')).limit(1)
  const { bssid, firmware } = device!
  await setStatus(db, 3, [bssid])
  await close()
  const { out } = await run('credentials', bssid)
  expect(fleetOf(out)).toMatchObject([{ bssid, status: 0, firmware }])
})

test.each([
  [['credentials', '00:00:00:00:00:00', 'x'], 'Device not found: 00:00:00:00:00:00, x. Nothing was changed.'],
  [['credentials', '--out', '/nowhere/fleet'], 'ENOENT'],
  [['credentials', '--bogus'], "Unknown option '--bogus'"],
  [['rename'], 'Usage: npm run device'],
  [[], 'Usage: npm run device'],
])('%j fails with a reason and changes nothing', async (args, message) => {
  const before = await hashes()
  const { code, out, err } = await run(...args)
  expect({ code, out }).toEqual({ code: 1, out: '' })
  expect(err).toContain(message)
  expect(await hashes()).toEqual(before)
})

test('a command does not migrate the database of servers, and says what to do', async () => {
  const { server } = inject('template')
  const name = `permeate_older_${newId().replaceAll('-', '')}`
  const older = await createDatabase(server, name)
  onTestFinished(() => dropDatabase(server, name))
  const passwords = () => runScript('device', ['passwords'], { DATA_DIR: folder, DATABASE_URL: older })
  expect((await passwords()).err).toContain('it is empty. Start a server on it first')

  const client = new Client(older)
  await client.connect()
  onTestFinished(() => client.end())
  await migrate(drizzle(client), knownMigrations() - 1)
  const { code, err } = await passwords()
  expect(code).toBe(1)
  expect(err).toMatch(
    /it is of Permeate \S+ \(schema \d+\), and this is .* Start or restart the server with this version/,
  )
  expect(await countMigrations(drizzle(client))).toBe(knownMigrations() - 1)
})
