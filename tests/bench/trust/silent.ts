/** Strangers who connect and do not say who they are: people and devices come in beside them, and they are closed. */
import { get } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { devices } from '../../../src/api/contract/devices.ts'
import { fleetPath } from '../../../server/demo/fleetFile.ts'
import { nameOf, reportAnswers } from '../answers.ts'
import { beside, type Subject } from '../beside.ts'
import { connectDevice, readFleet, type Credentials } from '../devices/wire.ts'
import { figure, report } from '../figures.ts'
import type { RealServer } from '../realServer.ts'
import type { TimedAnswer } from './calls.ts'
import { openRaw, type RawConnections } from './rawConnections.ts'

/** The address of the strangers. People and devices come from 127.0.0.1. */
const strangers = '127.0.0.2'
/** Milliseconds that the strangers are watched. */
const watched = 20_000
/** Milliseconds after which a stranger is closed: ten seconds, one until the server looks, and what closing thousands takes. */
const closedBudget = { max: 12_500 }
/** Milliseconds in which a person and a device come in. */
const comingBudget = { max: 5000 }
/** Milliseconds between two who come. */
const pause = 200

/** Opens 1,000 silent MQTT connections and more HTTP connections than may wait, all from one address. */
export async function measureSilent(server: RealServer, subject: Subject): Promise<void> {
  const mqtt = { host: '127.0.0.1', port: Number(new URL(server.mqttUrl).port), localAddress: strangers }
  const http = { host: '127.0.0.1', port: Number(new URL(server.url).port), localAddress: strangers }
  const fleet = readFleet(fleetPath(server.dataDir))
  const stop = new AbortController()
  const [opened, people, known] = await beside('strangers who say nothing', subject, async () => {
    const coming = Promise.all([
      again(stop.signal, () => comePerson(subject)),
      again(stop.signal, turn => comeDevice(server, fleet[turn % fleet.length]!)),
    ])
    const kinds: readonly (readonly [name: string, RawConnections])[] = [
      ['silent MQTT connections', await openRaw(1000, mqtt)],
      ['half-open MQTT connections', await openRaw(500, mqtt, Buffer.from([0x10, 0x40, 0x00]))],
      ['silent HTTP connections', await openRaw(1000, http)],
      ['half-open HTTP requests', await openRaw(4000, http, 'GET / HTTP/1.1\r\nhost: x\r\n')],
    ]
    await wait(watched)
    stop.abort()
    return [kinds, ...(await coming)]
  })
  for (const [name, connections] of opened) {
    const closed = connections.closedAfter()
    reportAnswers(name, connections.answers(), ['closed', '408'])
    report(figure(`${name}: until they are closed`, 'ms', closed, closedBudget))
    connections.close()
  }
  reportComing('people beside strangers who say nothing', people, '200')
  reportComing('devices beside strangers who say nothing', known, 'connected')
}

function reportComing(name: string, all: readonly TimedAnswer[], expected: string): void {
  const answers = all.map(({ answer }) => answer)
  const times = all.map(({ time }) => time)
  reportAnswers(name, answers, [expected])
  report(figure(name, 'ms', times, comingBudget))
}

/** Repeats `come` until the end; `turn` counts. */
async function again(stop: AbortSignal, come: (turn: number) => Promise<string>): Promise<TimedAnswer[]> {
  const all: TimedAnswer[] = []
  for (let turn = 0; !stop.aborted; turn++) {
    const started = performance.now()
    const answer = await come(turn)
    all.push({ answer, time: performance.now() - started })
    await wait(pause)
  }
  return all
}

/** Lists devices on a connection of its own. */
const comePerson = ({ url, token }: Subject): Promise<string> =>
  new Promise(resolve => {
    const options = { agent: false, headers: { 'access-token': token }, signal: AbortSignal.timeout(watched) }
    get(url + devices.list.path, options, answer => {
      answer.resume()
      resolve(nameOf({ status: answer.statusCode ?? 0, retryAfter: answer.headers['retry-after'] }))
    }).on('error', () => resolve('no answer'))
  })

/** Connects a device and disconnects it. */
async function comeDevice({ mqttUrl }: RealServer, device: Credentials): Promise<string> {
  try {
    const client = await connectDevice(mqttUrl, device, { reconnectPeriod: 0, connectTimeout: watched })
    await client.endAsync()
    return 'connected'
  } catch {
    return 'refused'
  }
}
