/** People first: lists, the palette's search and commands beside the heaviest things that a server does meanwhile. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { devices } from '../../src/api/contract/devices.ts'
import { readConfig } from '../../server/core/config.ts'
import { fleetPath } from '../../server/demo/fleetFile.ts'
import { openBeside } from '../../server/embedded/open.ts'
import { startProgram } from '../support/programs.ts'
import type { Bench } from './bench.ts'
import { atLeast, beside, firstPage, type BesideCall, type Subject } from './beside.ts'
import { csvOf } from './csv.ts'
import { progress } from './figures.ts'
import { largeFleet } from './devices/fleet.ts'
import { connectPublisher } from './devices/readings.ts'
import type { RealServer } from './realServer.ts'
import { signIn } from './session.ts'
import { upload } from './trust/loads.ts'
import { fillYears, readYear } from './yearReadings.ts'

const budget = { p95: 100 }
/** Seconds of each load. */
const seconds = 20
/** Devices that send readings, the readings a second of all together, devices that obey, and devices on charts. */
const senders = 2000
const rate = 5000
const obeying = 20
const charted = 20

/** Connects the last devices of the fleet, which the publisher leaves alone, and returns their ids once they obey. */
async function connectDevices(bench: Bench, server: RealServer): Promise<string[]> {
  const lines = readFileSync(fleetPath(server.dataDir), 'utf8').trim().split('\n').slice(-obeying)
  const some = join(server.dataDir, 'obeying.jsonl')
  writeFileSync(some, `${lines.join('\n')}\n`, { mode: 0o600 })
  const args = ['simulator/main.ts', '--url', server.mqttUrl, '--draws', 'off', '--interval', '1h', '--fleet', some]
  const simulator = startProgram(args, process.env)
  bench.after(() => simulator.stop())
  await simulator.until(() => /(\d+) of \1 simulated devices are connected/.test(simulator.log()))
  return lines.map(line => (JSON.parse(line) as { bssid: string }).bssid)
}

/** What people do: a page of a list, the palette's search of devices, and locking and unlocking a device. */
function callsOf(url: string, obedient: readonly string[]): readonly BesideCall[] {
  const found = new URLSearchParams({ search: 'a4:7', column: 'bssid', operator: 'co', sort: 'bssid', limit: '5' })
  return [
    firstPage(url, budget),
    { name: 'palette search', method: 'GET', url: `${url}${devices.list.path}?${found.toString()}`, budget },
    {
      name: 'command',
      method: devices.lock.method,
      url: url + devices.lock.path,
      bodies: [true, false].flatMap(locked => obedient.map(bssid => JSON.stringify({ ids: [bssid], locked }))),
      budget,
    },
  ]
}

/** Reads all devices as an export does, page after page of 1,000. */
async function exportAll({ url, token }: Subject): Promise<void> {
  for (let offset = 0; offset < largeFleet; offset += 1000) {
    const answer = await fetch(`${url}${devices.list.path}?limit=1000&offset=${offset}`, {
      headers: { 'access-token': token },
    })
    await answer.arrayBuffer()
    if (!answer.ok) throw new Error(`The export's page at ${offset} returned ${answer.status}`)
  }
}

export async function measurePeople(bench: Bench): Promise<void> {
  progress('Lists, palette and commands beside other work …')
  const server = await bench.copyOfLargeServer()
  const { accessToken: token } = await signIn(server.url, 'admin')
  const subject: Subject = { url: server.url, process: server.process, token }
  const calls = callsOf(server.url, await connectDevices(bench, server))
  const during = (load: string, run: () => Promise<unknown>) => beside(load, subject, run, calls)
  // The server's first responses are slower and not measured.
  await beside(
    'nothing, to warm up',
    subject,
    () => wait(3000),
    calls.map(call => ({ ...call, budget: null })),
  )
  await during('nothing', () => wait(seconds * 1000))

  const publisher = await connectPublisher(server, senders)
  bench.after(() => publisher.stop())
  await during(`${rate} readings a second`, () => publisher.send({ rate, seconds }))

  const { DATABASE_URL: _, ...env } = process.env
  const log = { info: () => undefined, error: (text: string, error: unknown) => progress(`${text}: ${String(error)}`) }
  const database = await openBeside(readConfig({ ...env, DATA_DIR: server.dataDir, DEMO: 'on' }), log)
  const charts = await fillYears(database.db, charted)
  await database.close()
  const year = () => readYear(server.url, token, charts, 'Europe/Berlin')
  await during(`year charts of ${charted} devices`, () => atLeast(seconds, year))

  await during('an export of 100,000 devices', () => atLeast(seconds, () => exportAll(subject)))

  let series = 0
  await during('uploads of 50,000 rows', () =>
    atLeast(seconds, async () => {
      const status = await upload(server.url, token, csvOf(50_000, series++), 'large.csv')
      if (status !== '200') throw new Error(`The upload returned ${status}`)
    }),
  )
}
