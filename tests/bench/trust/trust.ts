/** Loads that tried to keep others out, and failures that calls have to survive: the parts whose names begin with `trust:`. */
import { refusals, reportAnswers, tally } from '../answers.ts'
import { atLeast, beside, type Subject } from '../beside.ts'
import type { Bench, LongPart, Part } from '../bench.ts'
import { startRealServer, type RealServer } from '../realServer.ts'
import { figure, progress, report } from '../figures.ts'
import { signIn } from '../session.ts'
import { repeat } from '../browser.ts'
import { csvOf, csvHeader } from '../csv.ts'
import { bombWorkbook } from './bombWorkbook.ts'
import { deadServerPart } from './deadServer.ts'
import { measureEndedStreams } from './endedStreams.ts'
import { measureFrozen } from './frozen.ts'
import { measureFullDisk } from './fullDisk.ts'
import { measureKills, measureSyncs } from './kills.ts'
import { inventedTokens, largestBodies, oversizedBodies, signIns, slowUploads, streams, upload } from './loads.ts'
import { powerCutPart } from './powerCuts.ts'
import { measureSilent } from './silent.ts'
import { measureUploadMemory } from './uploadMemory.ts'

const fleet = 2_000
/** Seconds of each load: enough for a p95 of lists even if each of them takes as long as it may. */
const seconds = 20
/** Milliseconds in which an administrator's file is stored beside those of others. */
const ownFileBudget = { max: 5000 }

interface Context {
  readonly server: RealServer
  readonly subject: Subject
  readonly vendors: readonly string[]
}

/** Makes a part that measures one kind of load on a server with a small fleet. */
const withServer =
  (measure: (context: Context) => Promise<unknown>): Part =>
  async bench => {
    const context = await startContext(bench)
    try {
      await measure(context)
    } catch (error) {
      progress(context.server.log())
      throw error
    }
  }

/** A part that takes longer than others where the machine is slow: files of 50,000 devices, and sixty starts of PostgreSQL. */
const long = (measure: Part): LongPart => ({ limit: 10 * 60_000, measure })

async function startContext(bench: Bench): Promise<Context> {
  // Loads come from many addresses, as a proxy would name them.
  const server = await startRealServer(undefined, fleet, undefined, { TRUST_PROXY: '127.0.0.1' })
  bench.after(() => server.remove())
  const { accessToken: token } = await signIn(server.url, 'admin')
  const vendors = [(await signIn(server.url, 'vendor')).accessToken, (await signIn(server.url, 'vendor2')).accessToken]
  return { server, subject: { url: server.url, process: server.process, token }, vendors }
}

/** A load, the answers that it may get, and how it is made. */
interface Load {
  readonly name: string
  readonly permitted: readonly string[]
  readonly run: (round: number) => Promise<readonly string[]>
}

/** Repeats a load beside lists, and judges both. */
async function judge(subject: Subject, { name, permitted, run }: Load): Promise<void> {
  let round = 0
  const answers = await beside(name, subject, () => atLeast(seconds, () => run(round++)))
  reportAnswers(name, answers.flat(), permitted)
}

/** Bodies that are refused before they are read end with their connection, which may lose the answer. */
const tooLarge = ['413', 'no answer']

export const trustParts: Readonly<Record<string, Part | LongPart>> = {
  'trust:sign-ins': withServer(async ({ server, subject }) => {
    for (const count of [200, 1000])
      await judge(subject, {
        name: `${count} sign-ins at once`,
        permitted: ['401', ...refusals],
        run: round => signIns(server.url, count, round + count / 10),
      })
  }),
  'trust:invented-tokens': withServer(({ server, subject }) =>
    judge(subject, {
      name: '1,000 clients with invented tokens',
      permitted: ['401', ...refusals],
      run: () => inventedTokens(server.url, 1000, seconds * 1000),
    }),
  ),
  'trust:streams': withServer(({ server, subject, vendors }) =>
    judge(subject, {
      name: '392 streams opened together',
      permitted: ['200', ...refusals],
      run: () => streams(server.url, vendors, 392),
    }),
  ),
  'trust:bodies': withServer(async ({ server, subject, vendors }) => {
    await judge(subject, {
      name: '200 bodies of 2 MB that may be smaller only',
      permitted: tooLarge,
      run: () => oversizedBodies(server.url, vendors[0]!, 200),
    })
    await judge(subject, {
      name: '200 bodies of 2 MB',
      permitted: ['200', ...refusals],
      run: () => largestBodies(server.url, vendors[0]!, 200),
    })
  }),
  'trust:uploads': long(
    withServer(async ({ server, subject, vendors }) => {
      const bomb = bombWorkbook()
      await judge(subject, {
        name: `30 workbooks of ${bomb.length} bytes that unpack to 199 MB`,
        permitted: ['400', ...refusals],
        run: async round => {
          const others = repeat(30, () => upload(server.url, vendors[0]!, bomb, 'bomb.xlsx'))
          await uploadOne(server, subject, `02:00:00:00:01:${String(round).padStart(2, '0')}`)
          return Promise.all(others)
        },
      })
      await judge(subject, {
        name: 'files of 50,000 devices',
        permitted: ['200'],
        run: async round => [await upload(server.url, subject.token, csvOf(50_000, round), 'large.csv')],
      })
    }),
  ),
  'trust:upload-memory': long(withServer(({ subject, vendors }) => measureUploadMemory(subject, vendors))),
  'trust:slow': withServer(({ server, subject, vendors }) =>
    judge(subject, {
      name: '200 uploads of a byte a second',
      permitted: ['408', ...refusals],
      run: async () => {
        const slow = slowUploads(server.url, vendors[0]!, 200, seconds * 1000)
        await uploadOne(server, subject, '02:00:00:00:00:02')
        const answers = await slow
        // One of an account is received, and ten wait for their turn, which comes after that one's ten seconds.
        report(figure('slow uploads without an answer', 'uploads', [tally(answers).nothing ?? 0], { max: 11 }))
        return answers.filter(answer => answer !== 'nothing')
      },
    }),
  ),
  'trust:silent': withServer(({ server, subject }) => measureSilent(server, subject)),
  'trust:ended-streams': withServer(({ server }) => measureEndedStreams(server.url)),
  'trust:dead-server': deadServerPart,
  'trust:frozen': withServer(({ server, subject }) => measureFrozen(server, subject.token)),
  'trust:kills': long(withServer(({ server, subject }) => measureKills(server, subject.token, 60))),
  'trust:power-cut': powerCutPart,
  'trust:syncs': withServer(({ server, subject }) => measureSyncs(server, subject.token)),
  'trust:disk': measureFullDisk,
}

/** Uploads a file of one device as an administrator, whose turn must not wait for others' files. */
async function uploadOne(server: RealServer, subject: Subject, bssid: string): Promise<void> {
  const started = performance.now()
  const file = `${csvHeader}\n${bssid},esp32,RO-400 Home,,vendor,`
  const answer = await upload(server.url, subject.token, file, 'devices.csv')
  reportAnswers("an administrator's file beside others", [answer], ['200'])
  report(figure("an administrator's file beside others", 'ms', [performance.now() - started], ownFileBudget))
}
