/** The demo as people start it: how fast it starts, and what it uses once its history is made and nobody does anything. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import { root } from '../../scripts/programs.ts'
import { freePort } from '../support/ports.ts'
import { answers, environmentOfServers, heapLimit } from '../support/serverPrograms.ts'
import type { Bench } from './bench.ts'
import { repeat } from './browser.ts'
import { figure, progress, report } from './figures.ts'
import { settle, settlesWithin, shareOf } from './processes.ts'
import { connectPublisher, type Publisher } from './devices/readings.ts'

const starts = 5
const kills = 3
const measured = 60_000
/** The processes of the simulated devices, which run elsewhere in reality. */
const simulator = /simulator\/main\.ts/
/** The devices that send readings before a kill, and how many a second. */
const senders = 500
const rate = 5_000

interface Demo {
  readonly dataDir: string
  readonly port: number
  readonly mqttPort: number
}

/** Starts `npm start` without building, and resolves with it and the milliseconds until it answered. */
async function start({ dataDir, port, mqttPort }: Demo, withDevices: boolean): Promise<[ChildProcess, number]> {
  const own = {
    PORT: String(port),
    MQTT_PORT: String(mqttPort),
    DATA_DIR: dataDir,
    HOST: '127.0.0.1',
    ...(!withDevices && { SIMULATOR: 'off' }),
  }
  const started = performance.now()
  const demo = spawn(process.execPath, [heapLimit, 'scripts/start.ts', 'demo'], {
    cwd: root,
    env: { ...environmentOfServers(), ...own },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  while (!(await answers(`http://127.0.0.1:${port}`))) {
    if (demo.exitCode !== null) throw new Error(`The demo ended at its start (${demo.exitCode})`)
    await wait(10)
  }
  return [demo, performance.now() - started]
}

async function end(demo: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (demo.exitCode !== null || demo.signalCode !== null) return
  const exited = once(demo, 'exit')
  demo.kill(signal)
  await exited
}

/** Kills the demo while readings come in, and returns the milliseconds until it answers again. */
async function startAfterKill(demo: Demo, running: ChildProcess): Promise<[ChildProcess, number]> {
  const server = { mqttUrl: `mqtt://127.0.0.1:${demo.mqttPort}`, dataDir: demo.dataDir }
  const publisher: Publisher = await connectPublisher(server, senders)
  const sending = publisher.send({ rate, seconds: 60 })
  sending.catch(() => undefined)
  await wait(3000)
  await end(running, 'SIGKILL')
  await publisher.stop()
  return start(demo, false)
}

export async function measureIdle(bench: Bench): Promise<void> {
  progress('The demo at rest, and its starts …')
  const dataDir = await mkdtemp(join(tmpdir(), 'permeate-bench-'))
  bench.after(() => rm(dataDir, { recursive: true, force: true }))
  const demo: Demo = { dataDir, port: await freePort(), mqttPort: await freePort() }
  let [running, first] = await start(demo, true)
  bench.after(() => end(running, 'SIGTERM'))
  report(figure('first start of the demo: command to answer', 's', [first / 1000], null))
  const settled = await settle(running.pid!, simulator)
  report(figure('demo: start to settled', 's', [settled], { max: settlesWithin / 1000 }))
  const { matching, others } = await shareOf(running.pid!, measured, simulator)
  report(
    figure('demo at rest, server and database: processor', '% of a core', [others.cpu], { max: 3 }),
    figure('demo at rest, server and database: memory, shared once', 'MB', [others.memory], { max: 400 }),
    figure('demo at rest, its 500 simulated devices: processor', '% of a core', [matching.cpu], null),
    figure('demo at rest, its 500 simulated devices: memory', 'MB', [matching.memory], null),
  )
  const restarts: number[] = []
  for (const _ of repeat(starts, index => index)) {
    await end(running, 'SIGTERM')
    const [next, took] = await start(demo, false)
    running = next
    restarts.push(took / 1000)
  }
  report(figure('second start of the demo: command to answer', 's', restarts, { max: 3 }))
  const recoveries: number[] = []
  for (const _ of repeat(kills, index => index)) {
    const [next, took] = await startAfterKill(demo, running)
    running = next
    recoveries.push(took / 1000)
  }
  report(figure(`start after a kill beside ${rate} readings a second`, 's', recoveries, { max: 5 }))
}
