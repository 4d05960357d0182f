/** How soon the streams of a session are closed once it has ended. */
import { logout } from '../../../src/api/contract/logout.ts'
import { stream } from '../../../src/api/contract/stream.ts'
import { vendors } from '../../../src/api/contract/accounts.ts'
import { repeat } from '../browser.ts'
import { figure, progress, report } from '../figures.ts'
import { signIn, type Session } from '../session.ts'

/** Milliseconds from the call that ends the session. */
const budget = { max: 1000 }
const rounds = 5
/** The streams of an account, as many as it may have. */
const perAccount = 20
/** Milliseconds after which a stream counts as left open. */
const patience = 30_000

interface OpenStream {
  /** Resolves once the server has closed it, with the time. */
  readonly closed: Promise<number>
  readonly isClosed: () => boolean
}

/** Opens streams of a session, and resolves once each has sent something. */
function openStreams(url: string, { accessToken }: Session, signal: AbortSignal): Promise<OpenStream[]> {
  return Promise.all(
    repeat(perAccount, async () => {
      const answer = await fetch(url + stream.open.path, { headers: { 'access-token': accessToken }, signal })
      if (!answer.ok || !answer.body) throw new Error(`A stream returned ${answer.status}`)
      const reader = answer.body.getReader()
      await reader.read()
      let isClosed = false
      const readOn = async () => {
        while (!(await reader.read()).done);
        isClosed = true
        return performance.now()
      }
      const closed = readOn()
      closed.catch(() => undefined)
      return { closed, isClosed: () => isClosed }
    }),
  )
}

/** Ends sessions in two ways, while another account's streams go on. */
export async function measureEndedStreams(url: string): Promise<void> {
  progress('Streams of ended sessions …')
  const admin = await signIn(url, 'admin')
  const call = async (method: string, path: string, token: string, body?: object) => {
    const headers = { 'access-token': token, ...(body && { 'content-type': 'application/json' }) }
    const answer = await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
    if (!answer.ok) throw new Error(`${method} ${path} returned ${answer.status}`)
    await answer.arrayBuffer()
  }
  const block = (id: string, status: boolean) => {
    const { method, path } = vendors.changeStatusOfMany
    return call(method, path, admin.accessToken, { ids: [id], status })
  }
  const ending = AbortSignal.timeout(rounds * 4 * patience)
  const others = await openStreams(url, await signIn(url, 'vendor2'), ending)
  const endings: Readonly<Record<string, (session: Session) => Promise<unknown>>> = {
    'a blocked account': ({ userId }) => block(userId, true),
    'an ended session': ({ accessToken }) => call(logout.method, logout.path, accessToken),
  }
  for (const [name, end] of Object.entries(endings)) {
    const times: number[] = []
    for (let round = 0; round < rounds; round++) {
      const session = await signIn(url, 'vendor')
      const streams = await openStreams(url, session, AbortSignal.any([ending, AbortSignal.timeout(patience)]))
      const started = performance.now()
      await end(session)
      // One that is left open until it is aborted counts as that long.
      const closed = streams.map(one => one.closed.catch(() => performance.now()))
      times.push(...(await Promise.all(closed)).map(at => at - started))
      await block(session.userId, false)
    }
    report(figure(`streams of ${name}: until they are closed`, 'ms', times, budget))
  }
  const lost = others.filter(({ isClosed }) => isClosed()).length
  report(figure('streams of others that were closed meanwhile', 'streams', [lost], { max: 0 }))
}
