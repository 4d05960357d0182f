/** The response times of lists over HTTP. */
import { setTimeout as wait } from 'node:timers/promises'
import { devices } from '../../../src/api/contract/devices.ts'
import type { Bench } from '../bench.ts'
import { figure, progress, report, type Budget } from '../figures.ts'
import { connectPublisher } from '../devices/readings.ts'
import { settle } from '../processes.ts'
import { signIn, type Session } from '../session.ts'

/** Milliseconds for any page at any offset: of 100,000 devices, of a million, and beside readings that come in. */
const budget = { p95: 50 }
const budgetOfMillion = { p95: 100 }
const budgetBesideReadings = { p95: 100 }
const runs = 60
const warmUp = 2
const limit = 20

export type Query = Readonly<Record<string, string | number>>
interface Case {
  readonly name: string
  readonly session: Session
  readonly query: Query
  readonly hasBudget: boolean
}

/** Calls a list of devices over HTTP. */
export async function list(url: string, { accessToken }: Session, query: Query): Promise<ArrayBuffer> {
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
    // As the console asks for a page that it shows.
    query: { limit, ...query, ...(query.search !== undefined && { count: 'estimate' }) },
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

/** Measures cases in rounds, so that other load on the machine affects all of them alike. */
async function measure(url: string, all: readonly Case[], aim: Budget, suffix = ''): Promise<void> {
  const times = new Map(all.map(one => [one, [] as number[]]))
  for (let run = -warmUp; run < runs; run++)
    for (const [one, samples] of times) {
      const started = performance.now()
      await list(url, one.session, one.query)
      if (run >= 0) samples.push(performance.now() - started)
    }
  for (const [one, samples] of times) report(figure(one.name + suffix, 'ms', samples, one.hasBudget ? aim : null))
}

/** Measures lists of 100,000 devices while nothing else is done. */
export async function measureLists(bench: Bench): Promise<void> {
  progress('Lists, over HTTP …')
  const server = await bench.copyOfLargeServer()
  const { url } = server
  // What a server does once after its start is nothing that a person waits for.
  progress(`The server has settled after ${Math.round(await settle(server.process))} s`)
  for (const name of ['admin', 'vendor']) await measure(url, await cases(url, await signIn(url, name)), budget)
}

/** Measures lists of a million devices while nothing else is done. The vendor is the largest, with a sixth of them. */
export async function measureMillion(bench: Bench): Promise<void> {
  progress('Lists of 1,000,000 devices, over HTTP …')
  const { url, admin, vendor } = await bench.millionServer()
  for (const session of [admin, vendor])
    await measure(url, await cases(url, session), budgetOfMillion, ', of 1,000,000')
}

/** Measures the lists of a person with a million devices beside other work, which `suffix` says. */
export async function measureListsOfMillion(url: string, session: Session, suffix: string): Promise<void> {
  await measure(url, await cases(url, session), budgetOfMillion, suffix)
}

/** Devices that send, and readings a second of all together. */
const senders = 2000
const rate = 5000
/** Seconds of readings before the lists are measured, and at most meanwhile. */
const lead = 5
const maxSeconds = 240

/** Measures the lists of an administrator while readings come in. */
export async function measureListsBesideReadings(bench: Bench): Promise<void> {
  progress(`Lists, over HTTP, beside ${rate} readings a second …`)
  const server = await bench.copyOfLargeServer()
  const admin = await signIn(server.url, 'admin')
  // Descending pages are read as ascending ones are; without them the part keeps within its time.
  const all = (await cases(server.url, admin)).filter(({ query }) => query.direction !== 'desc')
  const publisher = await connectPublisher(server, senders)
  bench.after(() => publisher.stop())
  const sending = publisher.send({ rate, seconds: maxSeconds })
  // The part ends before the readings.
  sending.catch(() => undefined)
  await wait(lead * 1000)
  await measure(server.url, all, budgetBesideReadings, `, beside ${rate} readings a second`)
}
