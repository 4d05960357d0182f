/** Loads that tried to keep others out, and what lists took beside them: the parts whose names begin with `trust:`. */
import { beside, tally, type Subject } from '../beside.ts'
import type { Bench, LongPart, Part } from '../bench.ts'
import { startRealServer, type RealServer } from '../realServer.ts'
import { progress } from '../figures.ts'
import { signIn } from '../session.ts'
import { repeat } from '../browser.ts'
import { csvOf, csvHeader } from '../csv.ts'
import { measureFrozen, measureFullDisk, measureKills, measureSyncs } from './failures.ts'
import { bodies, bombWorkbook, inventedTokens, signIns, slowUploads, streams, upload } from './loads.ts'
import { powerCutPart } from './powerCuts.ts'
import { measureUploadMemory } from './uploadMemory.ts'

const fleet = 2_000

interface Context {
  readonly server: RealServer
  readonly subject: Subject
  readonly vendors: readonly string[]
}

const answers = (counts: readonly string[]) => progress(`  answers ${JSON.stringify(tally(counts))}`)

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

async function startContext(bench: Bench): Promise<Context> {
  // Loads come from many addresses, as a proxy would name them.
  const server = await startRealServer(undefined, fleet, undefined, { TRUST_PROXY: '127.0.0.1' })
  bench.after(() => server.remove())
  const { accessToken: token } = await signIn(server.url, 'admin')
  const vendors = [(await signIn(server.url, 'vendor')).accessToken, (await signIn(server.url, 'vendor2')).accessToken]
  return { server, subject: { url: server.url, process: server.process, token }, vendors }
}

export const trustParts: Readonly<Record<string, Part | LongPart>> = {
  'trust:sign-ins': withServer(async ({ server, subject }) => {
    for (const count of [200, 1000])
      answers(await beside(`${count} sign-ins at once`, subject, () => signIns(server.url, count)))
  }),
  'trust:invented-tokens': withServer(async ({ server, subject }) =>
    answers(
      await beside('1,000 clients with invented tokens', subject, () => inventedTokens(server.url, 1000, 10_000)),
    ),
  ),
  'trust:streams': withServer(async ({ server, subject, vendors }) =>
    answers(await beside('392 streams opened together', subject, () => streams(server.url, vendors, 392))),
  ),
  'trust:bodies': withServer(async ({ server, subject, vendors }) =>
    answers(await beside('200 bodies of 2 MB', subject, () => bodies(server.url, vendors[0]!, 200))),
  ),
  'trust:uploads': withServer(async ({ server, subject, vendors }) => {
    const bomb = bombWorkbook()
    const load = `30 workbooks of ${bomb.length} bytes that unpack to 199 MB`
    answers(
      await beside(load, subject, async () => {
        const others = repeat(30, () => upload(server.url, vendors[0]!, bomb, 'bomb.xlsx'))
        await uploadOne(server, subject, '02:00:00:00:00:01')
        return Promise.all(others)
      }),
    )
    const file = csvOf(50_000, 0)
    answers([
      await beside('a file of 50,000 devices', subject, () => upload(server.url, subject.token, file, 'large.csv')),
    ])
  }),
  'trust:upload-memory': withServer(({ subject, vendors }) => measureUploadMemory(subject, vendors)),
  'trust:slow': withServer(async ({ server, subject, vendors }) => {
    const closed = await beside('200 uploads of a byte a second', subject, async () => {
      const slow = slowUploads(server.url, vendors[0]!, 200, 20_000)
      await uploadOne(server, subject, '02:00:00:00:00:02')
      return slow
    })
    progress(`  closed by the server after 20 s: ${closed}`)
  }),
  'trust:frozen': withServer(({ server, subject }) => measureFrozen(server, subject.token)),
  'trust:kills': withServer(({ server, subject }) => measureKills(server, subject.token, 60)),
  'trust:power-cut': powerCutPart,
  'trust:syncs': withServer(({ server, subject }) => measureSyncs(server, subject.token)),
  'trust:disk': measureFullDisk,
}

/** Uploads a file of one device as an administrator, whose turn must not wait for others' files. */
async function uploadOne(server: RealServer, subject: Subject, bssid: string): Promise<void> {
  const started = performance.now()
  const file = `${csvHeader}\n${bssid},esp32,RO-400 Home,,vendor,`
  const status = await upload(server.url, subject.token, file, 'devices.csv')
  progress(`  an administrator's file: ${status} after ${Math.round(performance.now() - started)} ms`)
}
