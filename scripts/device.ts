/** Manages device credentials from the command line: `npm run device`. */
import { resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { parseArgs } from 'node:util'
import { asc, gt } from 'drizzle-orm'
import { normaliseBssid } from '../src/domain/bssid.ts'
import { offlineStatus } from '../src/domain/device.ts'
import { recordCommand } from '../server/audit/commands.ts'
import { publishWith } from '../server/bus/notify.ts'
import { readConfig } from '../server/core/config.ts'
import type { Database } from '../server/db/database.ts'
import { devices } from '../server/db/schema/devices.ts'
import { deviceCredentials } from '../server/db/schema/wire.ts'
import { openBeside } from '../server/embedded/open.ts'
import { fleetDevices, fleetLine, writeSecretFile } from '../server/devices/fleetFile.ts'
import type { FleetDevice } from '../server/protocol/fleetFile.ts'
import { createCredentials, passwordLine, storeCredentials } from '../server/devices/gateway/credentials.ts'
import { commandLog, runCommand, say, UsageError } from './command.ts'

const usage = `Usage: npm run device -- credentials [--out file] [bssid …]
         creates new secrets for all devices, or for the given ones, and writes
                  a fleet file for the simulator
       npm run device -- passwords [--out file]
         writes a Mosquitto password file with all devices that have a secret
Without --out, the file goes to standard output. The command uses the server's database (DATA_DIR or DATABASE_URL),
also while the server runs.`

/** Creates new secrets and writes the fleet file. */
async function credentials(db: Database, bssids: readonly string[], out: string | undefined): Promise<void> {
  const all = await db.select({ bssid: devices.bssid }).from(devices).orderBy(asc(devices.bssid))
  const existing = new Set(all.map(({ bssid }) => bssid))
  const selected = bssids.length === 0 ? [...existing] : [...new Set(bssids.map(normaliseBssid))]
  const unknown = selected.filter(bssid => !existing.has(bssid))
  if (unknown.length > 0) throw new UsageError(`Device not found: ${unknown.join(', ')}. Nothing was changed.`)

  const created = await createCredentials(selected)
  const secrets = new Map(created.map(({ bssid, secret }) => [bssid, secret]))
  await db.transaction(async tx => {
    await storeCredentials(tx, created, new Date())
    await recordCommand(tx, { action: 'createCredentials', ids: selected, at: new Date() })
    // Running gateways end the connections that were made with the old secrets.
    await publishWith(tx, [{ kind: 'credentials', bssids: selected }])
    // Inside the transaction: if the file cannot be written, the old secrets must stay valid.
    await write(Readable.from(fleetDevices(tx, secrets)).map(presentLine), out)
  })
  say(
    `Created secrets for ${created.length} ${created.length === 1 ? 'device' : 'devices'}${out === undefined ? '' : ` in ${out}`}. ` +
      'The old secrets no longer work. If you use an external broker, update its password file.',
  )
}

/** Rows per query. */
const pageSize = 5000

/** Yields the lines of the password file, in order of BSSID. */
async function* passwordLines(db: Database): AsyncGenerator<string> {
  for (let after = '', last: string | undefined = ''; last !== undefined; after = last ?? '') {
    const rows = await db
      .select()
      .from(deviceCredentials)
      .where(gt(deviceCredentials.bssid, after))
      .orderBy(asc(deviceCredentials.bssid))
      .limit(pageSize)
    for (const row of rows) yield passwordLine(row)
    last = rows.at(-1)?.bssid
  }
}

/** Returns the line of a device that can connect: the simulator leaves out offline ones, and a device is often given a new secret while it is. */
const presentLine = (device: FleetDevice) =>
  fleetLine({ ...device, status: device.status === offlineStatus ? 0 : device.status })

/** Writes a file, or to standard output without a path. */
async function write(lines: AsyncIterable<string>, out: string | undefined): Promise<void> {
  await (out === undefined ? pipeline(lines, process.stdout, { end: false }) : writeSecretFile(resolve(out), lines))
}

async function main(): Promise<void> {
  const { positionals, values } = parseArgs({ allowPositionals: true, options: { out: { type: 'string' } } })
  const [task, ...bssids] = positionals
  if (task !== 'credentials' && task !== 'passwords') throw new UsageError(usage)
  const database = await openBeside(readConfig(process.env), commandLog)
  try {
    await (task === 'credentials'
      ? credentials(database.db, bssids, values.out)
      : write(passwordLines(database.db), values.out))
  } finally {
    await database.close()
  }
}

await runCommand(main, usage)
