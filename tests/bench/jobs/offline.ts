/** How soon a device that was offline gets the command that a job keeps for it. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { devices } from '../../../src/api/contract/devices.ts'
import { jobs, type Job } from '../../../src/api/contract/jobs.ts'
import { fleetPath } from '../../../server/demo/fleetFile.ts'
import { readDeviceLog } from '../../../simulator/deviceLog.ts'
import { callsOf } from '../apiCalls.ts'
import type { Bench } from '../bench.ts'
import { startDevices, stopDevices } from '../devices/simulated.ts'
import { figure, progress, report } from '../figures.ts'
import { startRealServer } from '../realServer.ts'

const fleet = 1000
/** Half of the devices sleep, in turn. */
const sleep = '0.5:20s:20s'
const look = 100

interface Device {
  readonly bssid: string
  readonly status: number
}

/** Returns the devices that have slept so far. */
const sleepersIn = (log: string): ReadonlySet<string> => {
  const events = existsSync(log) ? readDeviceLog(log) : []
  return new Set(events.filter(({ did }) => did === 'slept').map(({ bssid }) => bssid))
}

/** Returns the milliseconds from the last connection of each device to its command. */
function delaysIn(log: string): number[] {
  const connectedAt = new Map<string, number>()
  const delays: number[] = []
  for (const { at, bssid, did } of readDeviceLog(log)) {
    if (did === 'connected') connectedAt.set(bssid, Date.parse(at))
    if (did === 'executed' || did === 'refused') delays.push(Date.parse(at) - connectedAt.get(bssid)!)
  }
  return delays
}

/** Returns the devices that never take a command: without draws, the update of the demo that they are in has no end. */
const updatingIn = (path: string): ReadonlySet<string> => {
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n')
  const all = lines.map(line => JSON.parse(line) as Device)
  return new Set(all.filter(({ status }) => status === 6).map(({ bssid }) => bssid))
}

export async function measureOffline(bench: Bench): Promise<void> {
  progress('Devices that come back during a job …')
  const server = await startRealServer(undefined, fleet)
  bench.after(() => server.remove())
  const call = await callsOf(server)
  const log = join(server.dataDir, 'devices.jsonl')
  // Because some always sleep, all are never connected at once.
  const simulator = await startDevices(server, { sleep, log }, 0.5)
  bench.after(() => stopDevices(simulator))
  while (sleepersIn(log).size < 100) await wait(look)
  const sleepers = sleepersIn(log)
  const updating = updatingIn(fleetPath(server.dataDir))
  const { data } = await call<{ readonly data: Device[] }>('GET', `${devices.list.path}?limit=1000`)
  const ids = data
    .filter(({ bssid, status }) => status === 3 && sleepers.has(bssid) && !updating.has(bssid))
    .map(({ bssid }) => bssid)
  const body = { command: 'reboot', ids, policy: { offline: 1 } }
  const { _id } = await call<{ readonly _id: string }>('POST', jobs.create.path, body)
  let job: Job
  do {
    await wait(look)
    job = await call<Job>('GET', `${jobs.list.path}/${_id}`)
  } while (job.state !== 'ended')
  await stopDevices(simulator)
  progress(`  ${JSON.stringify(job.counts)}`)
  report(figure('from the connection of a device that was offline to its command', 'ms', delaysIn(log), { max: 2000 }))
}
