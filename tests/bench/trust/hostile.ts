/** Hostile requests made from the contract, in great numbers: none may end in an error, and memory stays flat. */
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openConnection, sendMalformed, type AnswerHead, type Connection } from '../../support/hostile/connection.ts'
import { nameOf } from '../answers.ts'
import { repeat } from '../browser.ts'
import { figure, progress, quantile, report } from '../figures.ts'
import { watch } from '../processes.ts'
import { startRealServer, type RealServer } from '../realServer.ts'
import { hostileItems, type Item } from './hostileItems.ts'
import { memoryOf, type Memory } from './serverProcesses.ts'

const defaultCount = 1_000_000
const fleet = 200
const concurrency = 32
/** Requests between two lines of progress, and two looks at which rows exist. */
const perRound = 20_000
/** Milliseconds between two samples of memory. */
const sampleInterval = 1000
/** What counts as flat: the median of memory in the last tenth of the requests over that in their second tenth, in percent. */
const flat = { max: 20 }
/** Bytes from which a request may be refused before it is all sent: the answer may be lost as the connection closes. */
const sentAtOnce = 16_384
/** Failed requests that are kept as files. */
const maxKept = 100

/** Answers that say, as documented, that there is too much to do or no room. The others from 500 on are errors. */
const documented: readonly string[] = ['429', '503', '507']

interface Counts {
  /** Answers by class, and what else happened to requests. */
  readonly answers: Map<string, number>
  errors: number
  unanswered: number
  done: number
}

/** A sample of memory, and the number of requests that were done before it. */
type Sample = Memory & { readonly done: number }

/**
 * Sends `wanted` requests, a million unless it is given, to a server of its own. HOSTILE_SEED sets the seed. Failed requests
 * are written to files, as they were sent.
 */
export async function measureHostile(wanted?: string): Promise<void> {
  const count = Number(wanted ?? defaultCount)
  if (!Number.isSafeInteger(count) || count < 1) throw new Error(`${wanted} is not a number of requests`)
  const seed = Number(process.env.HOSTILE_SEED ?? 20_260_101)
  // Every request names an address, so that limits for one of them do not refuse the others.
  const server = await startRealServer(undefined, fleet, undefined, { TRUST_PROXY: '127.0.0.1' })
  const counts: Counts = { answers: new Map(), errors: 0, unanswered: 0, done: 0 }
  const samples: Sample[] = []
  const sampling = setInterval(() => samples.push({ ...memoryOf(server), done: counts.done }), sampleInterval)
  const usage = watch(server.process)
  const started = performance.now()
  try {
    const keep = await openFailures()
    for (let from = 0; from < count; from += perRound) {
      const items = await hostileItems(server.url, { seed, from, count: Math.min(perRound, count - from) })
      const before = performance.now()
      await Promise.all(repeat(concurrency, () => sendAll(server, items, counts, keep)))
      reportRound(counts, memoryOf(server), ((performance.now() - before) / Math.min(perRound, count - from)) * 1e-3)
    }
    const rate = count / ((performance.now() - started) / 1000)
    samples.push({ ...memoryOf(server), done: counts.done })
    reportAll(counts, samples, { rate, processor: (usage().cpu * 1000) / count })
  } catch (error) {
    progress(server.log())
    throw error
  } finally {
    clearInterval(sampling)
    await server.remove()
  }
}

/** Sends requests one after the other, on one connection as long as the server keeps it open, until there are no more. */
async function sendAll(server: RealServer, items: Iterable<Item>, counts: Counts, keep: Keep): Promise<void> {
  const port = Number(new URL(server.url).port)
  let connection: Connection | undefined
  for (const item of items) {
    if (item.isMalformed) {
      const outcome = await sendMalformed(port, item.bytes)
      await count(counts, item, outcome === 'silence' ? [outcome] : outcome, keep)
    } else {
      if (!connection || connection.isClosed()) connection = await openConnection(port)
      const outcome = await connection.ask(item.bytes)
      await count(counts, item, [outcome], keep)
    }
    counts.done++
  }
  connection?.close()
}

/** Counts what came back for a request, and keeps it if it failed. Malformed ones need no answer, only an end. */
async function count(
  counts: Counts,
  item: Item,
  outcomes: readonly (AnswerHead | 'closed' | 'silence')[],
  keep: Keep,
): Promise<void> {
  const add = (name: string) => counts.answers.set(name, (counts.answers.get(name) ?? 0) + 1)
  if (outcomes.length === 0) add('closed')
  for (const outcome of outcomes) {
    if (typeof outcome === 'string') {
      add(outcome)
      if (outcome === 'closed' && item.bytes.length >= sentAtOnce) continue
      counts.unanswered++
      await keep(item, outcome)
      continue
    }
    const name = nameOf(outcome)
    add(outcome.status > 404 ? name : `${Math.floor(outcome.status / 100)}xx`)
    // A refusal that does not say when to come back is none of the documented ones.
    if (documented.includes(name) || (outcome.status < 500 && outcome.status !== 429)) continue
    counts.errors++
    await keep(item, name)
  }
}

type Keep = (item: Item, outcome: number | string) => Promise<void>

/** Returns a function that writes a failed request to a file, from where `nc` can send it again. */
async function openFailures(): Promise<Keep> {
  let kept = 0
  let folder: string | undefined
  return async ({ number, bytes }, outcome) => {
    if (++kept > maxKept) return
    folder ??= await mkdtemp(join(tmpdir(), 'permeate-hostile-'))
    const path = join(folder, `${number}-${outcome}.http`)
    await writeFile(path, bytes)
    progress(
      `✗ request ${number}: ${outcome}, in ${path}\n  ${bytes.toString('latin1', 0, 300).replaceAll('\r\n', '\n  ')}`,
    )
  }
}

function reportRound({ answers, done }: Counts, { server, database }: Memory, seconds: number): void {
  const sorted = Object.fromEntries([...answers].toSorted(([a], [b]) => (a < b ? -1 : 1)))
  progress(
    `${done} requests, ${Math.round(1 / seconds)} a second, ${JSON.stringify(sorted)}, ` +
      `server ${Math.round(server)} MB, PostgreSQL ${Math.round(database)} MB`,
  )
}

interface Speed {
  /** Requests a second. */
  readonly rate: number
  /** Milliseconds of processor time for a request. */
  readonly processor: number
}

function reportAll({ answers, errors, unanswered, done }: Counts, samples: readonly Sample[], speed: Speed): void {
  // Garbage comes and goes: medians of the samples, of a tenth of the requests.
  const between = (from: number, to: number, what: keyof Memory) =>
    quantile(
      samples.filter(sample => sample.done >= from * done && sample.done <= to * done).map(sample => sample[what]),
      0.5,
    )
  const memory = (name: string, what: keyof Memory) => {
    const [early, late] = [between(0.1, 0.2, what), between(0.9, 1, what)]
    return [
      figure(`memory of ${name} in the second tenth`, 'MB', [early], null),
      figure(`memory of ${name} in the last tenth`, 'MB', [late], null),
      figure(`memory of ${name}: growth from the second to the last tenth`, '%', [(late / early - 1) * 100], flat),
    ]
  }
  report(
    figure('hostile requests', 'a second', [speed.rate], null),
    figure('processor time of server and PostgreSQL for a hostile request', 'ms', [speed.processor], null),
    figure('hostile requests with an undocumented error or refusal', 'requests', [errors], { max: 0 }),
    figure('hostile requests without an answer within 30 s', 'requests', [unanswered], { max: 0 }),
    ...documented.map(name =>
      figure(
        `hostile requests that were answered with a documented ${name}`,
        'requests',
        [answers.get(name) ?? 0],
        null,
      ),
    ),
    ...memory('the server', 'server'),
    ...memory('PostgreSQL without what its processes share', 'databasePrivate'),
  )
}
