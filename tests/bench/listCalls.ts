/** The response times of lists over HTTP. */
import { devices } from '../../src/api/contract/devices.ts'
import { figure, progress, report, type Figure } from './figures.ts'
import type { Session } from './session.ts'

/** Milliseconds for any page at any offset. */
const budget = { p95: 50 }
const runs = 60
const warmUp = 5
const limit = 20

type Query = Readonly<Record<string, string | number>>
interface Case {
  readonly name: string
  readonly session: Session
  readonly query: Query
  readonly hasBudget: boolean
}

async function list(url: string, { accessToken }: Session, query: Query): Promise<ArrayBuffer> {
  const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))
  const answer = await fetch(`${url}${devices.list.path}?${search.toString()}`, {
    headers: { 'access-token': accessToken },
  })
  const body = await answer.arrayBuffer()
  if (!answer.ok) throw new Error(`The list returned ${answer.status}: ${Buffer.from(body).toString()}`)
  return body
}

async function countOf(url: string, session: Session): Promise<number> {
  const body = await list(url, session, { limit: 1 })
  return (JSON.parse(Buffer.from(body).toString()) as { data: { count: number } }).data.count
}

/** Columns to sort by: a number that may be missing, a time, a text, names of related rows, and an enumeration. */
const sorts = ['temperature', 'last_active', 'description', 'company_name', 'model', 'filtration_system', 'status']

async function cases(url: string, session: Session): Promise<Case[]> {
  const count = await countOf(url, session)
  const last = count - limit
  const make = (name: string, query: Query, hasBudget = true): Case => ({
    name: `list as ${session.userRole}: ${name}`,
    session,
    query: { limit, ...query },
    hasBudget,
  })
  return [
    make('first page', {}),
    make('middle page', { offset: Math.floor(count / 2) }),
    make('last page', { offset: last }),
    ...sorts.flatMap(sort => [
      make(`by ${sort}, first page`, { sort }),
      make(`by ${sort} descending, first page`, { sort, direction: 'desc' }),
      make(`by ${sort}, middle page`, { sort, offset: Math.floor(count / 2) }),
      make(`by ${sort}, last page`, { sort, offset: last }),
    ]),
    make('bssid contains, many found', { search: 'a4', column: 'bssid', operator: 'co' }),
    make('bssid contains, few found', { search: 'a4:7', column: 'bssid', operator: 'co' }),
    make('description contains', { search: 'kitchen', column: 'description', operator: 'co' }),
    make('company contains', { search: 'a', column: 'company_name', operator: 'co' }),
    make('description contains, by temperature', {
      search: 'kitchen',
      column: 'description',
      operator: 'co',
      sort: 'temperature',
    }),
    make('first page of 1,000', { limit: 1000 }, false),
  ]
}

/** Measures all cases in rounds, so that other load on the machine affects all of them alike. */
export async function measureLists(url: string, sessions: readonly Session[]): Promise<Figure[]> {
  progress('Lists, over HTTP …')
  const all = (await Promise.all(sessions.map(session => cases(url, session)))).flat()
  const times = new Map(all.map(one => [one, [] as number[]]))
  for (let run = -warmUp; run < runs; run++)
    for (const [one, samples] of times) {
      const started = performance.now()
      await list(url, one.session, one.query)
      if (run >= 0) samples.push(performance.now() - started)
    }
  return [...times].map(([one, samples]) => report(figure(one.name, 'ms', samples, one.hasBudget ? budget : null)))
}
