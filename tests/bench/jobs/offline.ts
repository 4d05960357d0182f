/** How soon a device that was offline gets the command that a job keeps for it. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { devices } from '../../../src/api/contract/devices.ts'
import { jobs, type Job } from '../../../src/api/contract/jobs.ts'
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

export async function measureOffline(bench: Bench): Promise<void> {
  progress('Devices that come back during a job …')
  const server = await startRealServer(undefined, fleet)
  bench.after(() => server.remove())
  const call = await callsOf(server)
  const log = join(server.dataDir, 'devices.jsonl')
  // Some of the fleet always sleep, so that never all are connected.
  const simulator = await startDevices(server, { sleep, log }, 0.5)
  bench.after(() => stopDevices(simulator))
  const offline = async () => {
    const { data } = await call<{ readonly data: Device[] }>('GET', `${devices.list.path}?limit=1000`)
    return data.filter(({ status }) => status === 3).map(({ bssid }) => bssid)
  }
  const sleepers = () =>
    new Set(
      existsSync(log)
        ? readDeviceLog(log)
            .filter(({ did }) => did === 'slept')
            .map(({ bssid }) => bssid)
        : [],
    )
  while (sleepers().size < 100) await wait(look)
  const known = sleepers()
  const ids = (await offline()).filter(bssid => known.has(bssid))
  const { _id } = await call<{ readonly _id: string }>('POST', jobs.create.path, {
    command: 'reboot',
    ids,
    policy: { offline: 1 },
  })
  let job = await call<Job>('GET', `${jobs.list.path}/${_id}`)
  while (job.state !== 'ended') {
    await wait(look)
    job = await call<Job>('GET', `${jobs.list.path}/${_id}`)
  }
  await stopDevices(simulator)
  progress(`  ${JSON.stringify(job.counts)}`)
  const connectedAt = new Map<string, number>()
  const delays: number[] = []
  for (const event of readDeviceLog(log)) {
    if (event.did === 'connected') connectedAt.set(event.bssid, Date.parse(event.at))
    if (event.did === 'executed' || event.did === 'refused')
      delays.push(Date.parse(event.at) - connectedAt.get(event.bssid)!)
  }
  report(figure('from the connection of a device that was offline to its command', 'ms', delays, { max: 2000 }))
}
