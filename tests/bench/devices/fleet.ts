/** Large fleets, created once and cached until the code that creates them changes. */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { root } from '../../../scripts/programs.ts'
import type { Database } from '../../../server/db/database.ts'
import { firmwareVersions } from '../../../server/db/schema/models.ts'
import { seedDemo } from '../../../server/demo/seed.ts'
import { openEmbedded } from '../../../server/embedded/openEmbedded.ts'
import { progress } from '../figures.ts'
import { copyDevices } from './millionDevices.ts'
import { silence, spreadDailyChecks } from './settledFleet.ts'

/** The folders whose files determine the content of a demo's database. */
const sources = ['server/db', 'server/demo', 'simulator/model']

/** Returns a hash of what creates a fleet: the demo's sources and other files. */
function fingerprint(fleet: number, files: readonly string[]): string {
  const hash = createHash('sha256').update(String(fleet))
  const add = (name: string) => hash.update(`${name}\0`).update(readFileSync(join(root, name)))
  for (const source of sources)
    readdirSync(join(root, source), { recursive: true, encoding: 'utf8' })
      .filter(name => /\.(ts|sql|json)$/.test(name))
      .sort()
      .forEach(name => add(join(source, name)))
  files.forEach(add)
  return hash.digest('hex')
}

const log = { info: progress, error: (text: string, error: unknown) => progress(`${text}: ${String(error)}`) }

/** The devices of the large fleet, all of them the demo's. */
export const largeFleet = 100_000
/** The devices of the fleet that is copied from the demo's, because the demo would take an hour. */
export const millionFleet = 1_000_000
const copied = 20_000
/** A firmware version in the large fleet's database to which no device can be updated: jobs skip them all. */
export const unusedVersion = '0.0.0'

/** Returns the data folder of a server with the large fleet. */
export const benchFleet = (): Promise<string> =>
  cachedFleet(largeFleet, ['tests/bench/devices/fleet.ts', 'tests/bench/devices/settledFleet.ts'], async db => {
    await seedDemo(db, { fleet: largeFleet })
    await silence(db)
    await spreadDailyChecks(db)
    await db.execute(sql`vacuum analyze device_twins, silence_checks, ageing_checks, device_health`)
    await db
      .insert(firmwareVersions)
      .values({ platform: 'of no device', version: unusedVersion, released_at: new Date() })
  })

/** Returns the data folder of a server with a million devices of two hundred vendors. */
export const benchMillion = (): Promise<string> =>
  cachedFleet(
    millionFleet,
    ['tests/bench/devices/millionDevices.ts', 'tests/bench/devices/settledFleet.ts'],
    async db => {
      await seedDemo(db, { fleet: copied })
      await copyDevices(db, copied, millionFleet)
    },
  )

async function cachedFleet(
  fleet: number,
  files: readonly string[],
  fill: (db: Database) => Promise<void>,
): Promise<string> {
  const folder = join(root, 'node_modules', '.cache', `bench-fleet-${fleet}`)
  const stamp = join(folder, 'made-from')
  const expected = fingerprint(fleet, files)
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === expected) return folder

  progress(`Seeding ${fleet.toLocaleString('en')} devices, once …`)
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  const database = await openEmbedded({ dataDir: folder, kind: 'postgres', demo: true, log })
  try {
    await fill(database.db)
  } finally {
    await database.close()
  }
  await writeFile(stamp, expected)
  return folder
}
