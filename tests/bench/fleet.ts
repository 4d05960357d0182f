/** A large fleet, seeded once and cached until the code that creates it changes. */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { root } from '../../scripts/programs.ts'
import { openEmbedded } from '../../server/embedded/openEmbedded.ts'
import { seedDemo } from '../../server/demo/seed.ts'
import { progress } from './figures.ts'

/** The folders whose files determine the content of the database. */
const sources = ['server/db', 'server/demo', 'simulator/model']

function fingerprint(fleet: number): string {
  const hash = createHash('sha256').update(String(fleet))
  for (const source of sources) {
    const folder = join(root, source)
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(name =>
      /\.(ts|sql|json)$/.test(name),
    )
    for (const name of names.sort()) hash.update(`${name}\0`).update(readFileSync(join(folder, name)))
  }
  return hash.digest('hex')
}

const log = { info: progress, error: (text: string, error: unknown) => progress(`${text}: ${String(error)}`) }

/** Returns the data folder of a server with `fleet` demo devices. */
export async function benchFleet(fleet: number): Promise<string> {
  const folder = join(root, 'node_modules', '.cache', `bench-fleet-${fleet}`)
  const stamp = join(folder, 'made-from')
  const expected = fingerprint(fleet)
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === expected) return folder

  progress(`Seeding ${fleet.toLocaleString('en')} devices, once …`)
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  const database = await openEmbedded({ dataDir: folder, kind: 'postgres', demo: true, log })
  try {
    await seedDemo(database.db, { fleet })
  } finally {
    await database.close()
  }
  await writeFile(stamp, expected)
  return folder
}

/** The devices of the large fleet. */
export const largeFleet = 100_000
