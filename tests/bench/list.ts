/** Server time of list calls on a large fleet: through the whole HTTP app, on the embedded database. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { sql } from 'drizzle-orm'
import { buildApp } from '../../server/app.ts'
import { startBackground } from '../../server/background.ts'
import { readConfig } from '../../server/config.ts'
import { open } from '../../server/db/database.ts'
import { demoPassword } from '../../server/demo/catalogue.ts'
import { seedDemo } from '../../server/demo/seed.ts'
import { simulatedFleet } from '../../server/devices/simulatedFleet.ts'
import { tidyDevices } from '../../server/devices/tidy.ts'
import { openMail } from '../../server/mail/mail.ts'
import { handlers } from '../../server/resources/handlers.ts'
import { deviceColumns } from '../../src/api/contract/devices.ts'

/** Milliseconds. */
export interface Timing {
  readonly call: string
  readonly count: number
  readonly median: number
  readonly p95: number
}
export interface ListBench {
  readonly fleet: number
  /** Milliseconds to make the fleet. */
  readonly seeding: number
  readonly calls: readonly Timing[]
}

/** A vendor that owns little among many. */
const smallVendor = 'vendor6'
const smallFleet = 100

/** Seeds `fleet` devices and times each call `runs` times. */
export async function benchLists({ fleet = 100_000, runs = 20 } = {}): Promise<ListBench> {
  const dataDir = await mkdtemp(join(tmpdir(), 'permeate-bench-'))
  const { db, close } = await open({ databaseUrl: undefined, dataDir })
  const start = performance.now()
  await seedDemo(db, { fleet })
  const seeding = performance.now() - start
  await db.execute(sql`update devices set vendor_id = (select id from accounts where login = 'vendor5')
    where vendor_id = (select id from accounts where login = ${smallVendor})
    and bssid not in (select bssid from devices order by bssid limit ${smallFleet * 6})`)
  await tidyDevices(db)
  const link = simulatedFleet(db, { tick: 0 })
  const config = readConfig({ LOG_LEVEL: 'silent', DATA_DIR: dataDir })
  const log = { info: () => undefined, error: () => undefined }
  const app = await buildApp({
    services: {
      db,
      config,
      link,
      mail: openMail(config, log),
      background: startBackground(log),
      now: () => new Date(),
    },
    handlers,
  })

  const calls: Timing[] = []
  for (const login of ['admin', 'vendor', smallVendor]) {
    const signedIn = await app.inject({
      method: 'POST',
      url: '/api/v3/auth/login/dashboard',
      payload: { login, password: demoPassword },
    })
    const token = signedIn.json<{ data: { access_token: string } }>().data.access_token
    const get = (query: object) =>
      app.inject({
        url: `/api/v3/devices?${new URLSearchParams(Object.entries(query).map(([key, value]) => [key, String(value)]))}`,
        headers: { 'access-token': token },
      })
    const countOf = async (query: object) => (await get(query)).json<{ data: { count: number } }>().data.count
    const all = await countOf({})
    for (const [name, query] of Object.entries(queries(all))) {
      const times: number[] = []
      for (let run = 0; run < runs; run++) {
        const begun = performance.now()
        const answer = await get(query)
        times.push(performance.now() - begun)
        if (answer.statusCode !== 200) throw new Error(`${name}: ${answer.body}`)
      }
      times.sort((left, right) => left - right)
      const at = (share: number) =>
        Number(times[Math.min(times.length - 1, Math.floor(times.length * share))]!.toFixed(1))
      calls.push({ call: `${login}: ${name}`, count: await countOf(query), median: at(0.5), p95: at(0.95) })
    }
  }
  await app.close()
  await link.close()
  await close()
  await rm(dataDir, { recursive: true, force: true })
  return { fleet, seeding: Math.round(seeding), calls }
}

function queries(all: number): Record<string, object> {
  const last = Math.max(0, all - 20)
  const sorted = Object.keys(deviceColumns.by).flatMap(sort => [
    [`sort ${sort}`, { sort, direction: 'desc' }],
    [`sort ${sort}, middle`, { sort, offset: all >> 1 }],
    [`sort ${sort}, last page`, { sort, offset: last }],
  ])
  return {
    'first page': {},
    'middle page': { offset: all >> 1 },
    'last page': { offset: last },
    '1,000 rows': { limit: 1000 },
    'contains 7E:33': { search: '7E:33' },
    'contains 7E': { search: '7E' },
    'description contains kitchen': { column: 'description', search: 'kitchen' },
    ...Object.fromEntries(sorted),
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  console.log(JSON.stringify(await benchLists(), undefined, 2))
