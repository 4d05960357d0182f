/** Calls that are made while something fails: how they are answered, and how soon. */
import { setTimeout as wait } from 'node:timers/promises'
import { devices } from '../../../src/api/contract/devices.ts'
import { events } from '../../../src/api/contract/events.ts'
import { answerTo } from '../answers.ts'

/** The name of an answer, and the milliseconds that it took. */
export interface TimedAnswer {
  readonly answer: string
  readonly time: number
}

export async function timedAnswer(call: () => Promise<Response>): Promise<TimedAnswer> {
  const started = performance.now()
  const answer = await answerTo(call())
  return { answer, time: performance.now() - started }
}

export interface Calls {
  list(): Promise<Response>
  health(): Promise<Response>
  /** Creates an event of a device. */
  change(title: string): Promise<Response>
}

/** Returns calls of an administrator to a server that answers at present. */
export async function callsOf(url: string, token: string): Promise<Calls> {
  const headers = { 'access-token': token, 'content-type': 'application/json' }
  const list = () => fetch(`${url}${devices.list.path}?limit=20`, { headers })
  const { data } = (await (await list()).json()) as { data: { data: { bssid: string }[] } }
  const { bssid } = data.data[0]!
  return {
    list,
    health: () => fetch(`${url}/health`),
    change: title => {
      const at = new Date().toISOString()
      const body = JSON.stringify({ title, description: '', start: at, end: at, devices: [bssid] })
      return fetch(url + events.create.path, { method: 'POST', headers, body })
    },
  }
}

/** Repeats a call until it succeeds; returns the milliseconds that took. */
export async function untilOk(call: () => Promise<Response>): Promise<number> {
  const started = performance.now()
  while ((await timedAnswer(call)).answer !== '200') await wait(50)
  return performance.now() - started
}
