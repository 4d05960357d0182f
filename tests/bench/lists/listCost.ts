/** What a call of a list costs a server and its PostgreSQL: processor time, of 100,000 devices while nothing else is done. */
import type { Bench, LongPart } from '../bench.ts'
import { figure, progress, report } from '../figures.ts'
import { list, type Query } from './lists.ts'
import { secondsOfMatching } from '../processes.ts'
import { signIn } from '../session.ts'

const calls = 100
const warmUp = 20
/** Each page has an offset of its own, so that no call finds what the one before has read. */
const cases: Readonly<Record<string, (call: number) => Query>> = {
  'a page of 20': call => ({ limit: 20, offset: call * 20 }),
  'a page of 20 by temperature': call => ({ limit: 20, offset: call * 20, sort: 'temperature' }),
  'a search of descriptions': call => ({
    limit: 20,
    offset: call * 20,
    search: 'kitchen',
    column: 'description',
    operator: 'co',
    count: 'estimate',
  }),
}
/** Without its vacuum, which a new copy of a fleet starts and which has nothing to do with the calls. */
const vacuum = /autovacuum/
const postgres = /postgres/

async function measure(bench: Bench): Promise<void> {
  progress('The cost of lists …')
  const server = await bench.copyOfLargeServer()
  const admin = await signIn(server.url, 'admin')
  const used = () => {
    const [all, ofPostgres, ofVacuum] = [/./, postgres, vacuum].map(each => secondsOfMatching(server.process, each))
    return { own: all! - ofPostgres!, inPostgres: ofPostgres! - ofVacuum! }
  }
  for (const [name, queryOf] of Object.entries(cases)) {
    for (let call = 0; call < warmUp; call++) await list(server.url, admin, queryOf(call))
    const before = used()
    for (let call = warmUp; call < warmUp + calls; call++) await list(server.url, admin, queryOf(call))
    const after = used()
    const each = (seconds: number) => [(seconds / calls) * 1000]
    report(
      figure(`processor time of the server, ${name}`, 'ms a call', each(after.own - before.own), null),
      figure(`processor time of PostgreSQL, ${name}`, 'ms a call', each(after.inPostgres - before.inPostgres), null),
    )
  }
}

/** The fleet is copied first. */
export const listCostPart: LongPart = { limit: 10 * 60_000, measure }
