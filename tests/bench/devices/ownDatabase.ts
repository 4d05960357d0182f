/** A database of a part's own, without a server. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Database } from '../../../server/db/database.ts'
import { seedDemo } from '../../../server/demo/seed.ts'
import { openEmbedded } from '../../../server/embedded/openEmbedded.ts'
import type { Bench } from '../bench.ts'
import { progress } from '../figures.ts'

/** Opens an embedded PostgreSQL with `fleet` devices, which is removed once the part has ended. */
export async function openOwnDatabase(bench: Bench, fleet: number): Promise<Database> {
  const dataDir = await mkdtemp(join(tmpdir(), 'permeate-bench-'))
  bench.after(() => rm(dataDir, { recursive: true, force: true }))
  const log = { info: () => undefined, error: (text: string, error: unknown) => progress(`${text}: ${String(error)}`) }
  const { db, close } = await openEmbedded({ dataDir, kind: 'postgres', demo: true, log })
  bench.after(close)
  progress(`Seeding ${fleet.toLocaleString('en')} devices …`)
  await seedDemo(db, { fleet })
  return db
}
