/** What a stored reading costs a server with its PostgreSQL: processor time, write-ahead log, and disk. */
import { sql } from 'drizzle-orm'
import type { Database } from '../../../server/db/database.ts'
import { openRunning } from '../../../server/embedded/openEmbedded.ts'
import type { Bench, LongPart } from '../bench.ts'
import { figure, progress, report } from '../figures.ts'
import { shareOf } from '../processes.ts'
import type { RealServer } from '../realServer.ts'
import type { Load } from './publisher.ts'
import { connectPublisher, type Publisher } from './readings.ts'

/** Devices that send, of the large fleet. */
const senders = 5_000
/** Readings a second that are offered, and seconds. */
const rates = [1_667, 5_000]
const seconds = 60
const warmUp = { rate: 1_000, seconds: 15 }
/** Bytes of write-ahead log that a reading may take. */
const walBudget = { max: 400 }
/** The processes of PostgreSQL, apart from the server's. */
export const postgres = /^postgres|[/\\]postgres(\.exe)? /

/** Returns the position in the write-ahead log, and the bytes of all readings, in bytes. */
async function positionOf(db: Database): Promise<{ readonly wal: number; readonly disk: number }> {
  const { rows } = await db.execute<{ wal: number; disk: number }>(sql`
    select (pg_current_wal_lsn() - '0/0'::pg_lsn)::float8 as wal, (
      select sum(pg_total_relation_size(inhrelid))::float8 from pg_inherits where inhparent = 'readings'::regclass) as disk`)
  return rows[0]!
}

interface Measured {
  readonly server: RealServer
  readonly db: Database
  readonly publisher: Publisher
}

/** Sends a load, and reports what its readings cost. */
export async function measureCost({ server, db, publisher }: Measured, { rate, seconds }: Load): Promise<void> {
  progress(`${rate} readings a second …`)
  // The first change of a page after a checkpoint writes the whole page: each load begins with one.
  await db.execute(sql`checkpoint`)
  const before = await positionOf(db)
  const share = shareOf(server.process, seconds * 1000, postgres)
  const { acknowledged, acknowledgedInTime } = await publisher.send({ rate, seconds })
  const { matching, others } = await share
  const after = await positionOf(db)
  const name = `at ${rate.toLocaleString('en')} readings a second`
  // Percent of a core are hundredths of a second in a second.
  const microseconds = (percent: number) => (percent * seconds * 1e4) / acknowledged
  report(
    figure(`readings stored ${name}`, 'a second', [acknowledgedInTime / seconds], null),
    figure(`processor time of the server ${name}`, 'µs a reading', [microseconds(others.cpu)], null),
    figure(`processor time of PostgreSQL ${name}`, 'µs a reading', [microseconds(matching.cpu)], null),
    figure(`write-ahead log ${name}`, 'bytes a reading', [(after.wal - before.wal) / acknowledged], walBudget),
    figure(`disk of raw readings ${name}`, 'bytes a reading', [(after.disk - before.disk) / acknowledged], null),
  )
}

async function measure(bench: Bench): Promise<void> {
  const server = await bench.copyOfLargeServer()
  const database = await openRunning(server.dataDir)
  if (!database) throw new Error('The server has no PostgreSQL of its own')
  bench.after(() => database.close())
  const { db } = database
  const publisher = await connectPublisher(server, senders)
  bench.after(() => publisher.stop())
  await publisher.send(warmUp)
  for (const rate of rates) await measureCost({ server, db, publisher }, { rate, seconds })
}

export const readingCostPart: LongPart = { limit: 10 * 60_000, measure }
