/** Means of devices by bucket, added up from sums and from readings that are not summed yet. */
import { msPerDay, msPerHour, msPerMinute } from '../../../src/domain/time.ts'
import type { MeanColumns } from '../means.ts'
import type { Grid } from '../store.ts'
import { listOf, type Connection } from './connection.ts'
import { hourOf, sumsOf } from './sums.ts'
import { sources, sumColumns } from './tables.ts'

type Sum = (typeof sumColumns)[number]

const columns = ['bssid', 'at', 'source', ...sumColumns].join(', ')

const total = (name: Sum) => `sum(${name})`
const litres = (name: Sum) => `${total(name)} / 1e6`
/** NaN without values, which ClickHouse writes as null. */
const mean = (name: 'production' | 'feed_tds' | 'permeate_tds' | 'pressure' | 'temperature') =>
  `${total(`${name}_sum`)} / 1e6 / ${total(`${name}_count`)}`
const last = (name: Sum) => `if(argMax(${name}, flow_at) < 0, nan, argMax(${name}, flow_at) / 1e6)`

const means = {
  feed: litres('feed'),
  permeate: litres('permeate'),
  production_rate: mean('production'),
  feed_tds: mean('feed_tds'),
  permeate_tds: mean('permeate_tds'),
  pressure: mean('pressure'),
  temperature: mean('temperature'),
  last_feed_flow: last('last_feed_flow'),
  last_permeate_flow: last('last_permeate_flow'),
} as const satisfies Record<Exclude<keyof MeanColumns, 'start'>, string>
const names = Object.keys(means) as (keyof typeof means)[]

interface Question extends Grid {
  readonly bssids: readonly string[]
  /** The time up to which readings have been summed, milliseconds UTC. */
  readonly summedUntil: number
}

/** Returns the means of devices in the buckets of a grid, see `TelemetryStore.means`. */
export async function queryMeans(connection: Connection, question: Question): Promise<Map<string, MeanColumns>> {
  const parts = question.range === 'day' ? tenMinutesOf(question) : hoursOf(question)
  // Names of their own, because ClickHouse reads a name in an expression as the alias of the same name.
  const aliased = names.map(name => `${means[name]} as of_${name}`).join(', ')
  const arrays = names.map(name => `groupArray(of_${name}) as ${name}`).join(', ')
  const rows = await connection.rows<MeanColumns & { readonly bssid: string }>(`
    select bssid, groupArray(toFloat64(bucket)) as start, ${arrays}
    from (
      select bssid, ${startOf(question.edges)} as bucket, ${aliased}
      from (${parts.join(' union all ')}) group by bssid, bucket
    ) group by bssid`)
  return new Map(rows.map(({ bssid, ...series }) => [bssid, series]))
}

/** The sums that begin in the grid, by ten minutes. */
const tenMinutesOf = (question: Question): string[] => [storedSums('ten_minutes', question), ...newestSums(question)]

/**
 * The sums that begin in the grid, by hours. An hour that contains an edge is split into its ten minutes; without these it
 * belongs to the bucket that contains its start. Imported UTC days count for the bucket of a year that contains their middle.
 */
function hoursOf(question: Question): string[] {
  const { edges, range } = question
  const cut = [...new Set(edges.filter(edge => edge % msPerHour !== 0).map(edge => hourOf(edge) * msPerHour))]
  const isCut = `intDiv(at, ${msPerHour}) * ${msPerHour} in (${cut.join(', ')})`
  const tens =
    cut.length > 0 &&
    `select bssid, intDiv(at, ${msPerHour}) * ${msPerHour} from ten_minutes
      where ${ofDevices(question)} and at >= ${cut[0]!} and at < ${cut.at(-1)! + msPerHour} and ${isCut}`
  return [
    storedSums('hours', question, tens ? `not (${isCut} and (bssid, at) in (${tens}))` : undefined),
    ...(tens ? [storedSums('ten_minutes', question, isCut)] : []),
    ...(range === 'year' ? [importedDays(question)] : []),
    ...newestSums(question),
  ]
}

const ofDevices = ({ bssids }: Question) => `bssid in ${listOf(bssids)}`
const within = (time: string, { edges }: Question) => `${time} >= ${edges[0]!} and ${time} < ${edges.at(-1)!}`

/** Returns the query for stored sums within the grid. */
const storedSums = (table: 'ten_minutes' | 'hours', question: Question, condition?: string): string => `
  select ${columns} from ${table} final
  where ${ofDevices(question)} and ${within('at', question)}
    and (source = ${sources.imported} or at < ${question.summedUntil}) ${condition ? `and ${condition}` : ''}`

const middle = `at + ${msPerDay / 2}`
const importedDays = (question: Question): string => `
  select bssid, ${middle}, source, ${sumColumns.join(', ')} from days final
  where ${ofDevices(question)} and ${within(`(${middle})`, question)}`

/** Returns the query for the sums of readings that are not stored as sums yet; none if the grid ends before them. */
function newestSums(question: Question): string[] {
  const { edges, summedUntil } = question
  const from = Math.max(summedUntil, edges[0]!)
  if (from >= edges.at(-1)!) return []
  const bucket = `intDiv(at, ${tenMinutes}) * ${tenMinutes}`
  return [
    sumsOf(
      tenMinutes,
      `hour >= ${hourOf(from)} and hour <= ${hourOf(edges.at(-1)!)} and ${ofDevices(question)}
        and ${within(bucket, question)}`,
    ),
  ]
}
const tenMinutes = 10 * msPerMinute

/**
 * Returns the expression for the start of the bucket of a time `at` in the grid. Buckets of the same length follow one another
 * in a few runs, because lengths differ only where clocks change: within a run the start is computed.
 */
function startOf(edges: readonly number[]): string {
  const runs: { readonly from: number; readonly length: number }[] = []
  edges.slice(0, -1).forEach((from, place) => {
    const length = edges[place + 1]! - from
    if (runs.at(-1)?.length !== length) runs.push({ from, length })
  })
  const starts = runs.map(({ from, length }) => `${from} + intDiv(at - ${from}, ${length}) * ${length}`)
  if (starts.length === 1) return starts[0]!
  const cases = starts.slice(0, -1).map((start, place) => `at < ${runs[place + 1]!.from}, ${start}`)
  return `multiIf(${cases.join(', ')}, ${starts.at(-1)})`
}
