/** What a full disk does to calls and to readings of devices. */
import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fleetPath } from '../../../server/demo/fleetFile.ts'
import { fillDisk } from '../../support/fillDisk.ts'
import { headOf, nameOf, reportAnswers } from '../answers.ts'
import { readFleet } from '../devices/wire.ts'
import { figure, progress, report } from '../figures.ts'
import { startRealServer, type RealServer } from '../realServer.ts'
import { signIn } from '../session.ts'
import { callsOf, timedAnswer, untilOk, type Calls, type TimedAnswer } from './calls.ts'
import { check } from './powerChecks.ts'
import { Ledger, startLoad, type Load } from './powerLoad.ts'

/** Milliseconds in which all goes on by itself once there is room. */
const budget = { max: 5000 }
const megabyte = 1024 * 1024
const fleet = 40
/** Bytes that are left in turn: less than the reserve, then none. */
const steps = [40 * megabyte, 0]
/** Acknowledgements before the disk is filled. */
const some = 200
/** Lists that are read while it is full: enough for a p95 of both steps together. */
const listsOfStep = 40
/** Milliseconds in which the server notices that the disk is full. */
const noticedWithin = 1500

/** What was seen while the disk was full, in all steps. */
interface Seen {
  readonly lists: TimedAnswer[]
  readonly changes: string[]
  readonly reasons: string[]
  readonly health: string[]
  /** Readings and changes that were acknowledged with less than the reserve. */
  readonly acknowledged: number[]
  /** Milliseconds until a change, and until readings, were taken once there was room. */
  readonly recoveries: number[]
}

/** Fills a small file system, where mounting one is permitted, up to the reserve and up to the last byte. */
export async function measureFullDisk(): Promise<void> {
  progress('A full disk …')
  const disk = await startOnSmallDisk()
  if (disk === undefined) {
    progress('  left out: mounting a file system is not permitted')
    return
  }
  const { server, folder } = disk
  try {
    const { accessToken } = await signIn(server.url, 'admin')
    const calls = await callsOf(server.url, accessToken)
    const ledger = new Ledger()
    const devices = readFleet(fleetPath(server.dataDir))
    const start = () => startLoad(server, devices, ledger, accessToken)
    const seen: Seen = { lists: [], changes: [], reasons: [], health: [], acknowledged: [], recoveries: [] }
    for (const left of steps) await measureStep({ folder, calls, ledger, seen, start }, left)
    reportSeen(seen)
    const { lost, doubled } = await check(server.dataDir, ledger, undefined)
    report(
      figure('full disk: acknowledged readings and changes', '', [ledger.acknowledged], null),
      figure('full disk: acknowledged readings and changes that are lost', '', [lost], { max: 0 }),
      figure('full disk: readings and changes that are doubled', '', [doubled], { max: 0 }),
    )
  } finally {
    await server.remove()
    execFileSync('umount', ['-l', folder])
  }
}

interface Step {
  readonly folder: string
  readonly calls: Calls
  readonly ledger: Ledger
  readonly seen: Seen
  /** Starts the load of devices and people. */
  readonly start: () => Promise<Load>
}

/** Fills the disk under a load, and makes room again. */
async function measureStep({ folder, calls, ledger, seen, start }: Step, left: number): Promise<void> {
  const filler = join(folder, 'filler')
  await during(start, async load => {
    await Promise.race([ledger.further(some), load.ended])
    fillDisk(filler, folder, left)
    await wait(noticedWithin)
  })
  const before = ledger.acknowledged
  await during(start, () => look(calls, seen))
  seen.acknowledged.push(ledger.acknowledged - before)
  rmSync(filler)
  seen.recoveries.push(...(await Promise.all([untilOk(() => calls.change('room')), untilTaken(ledger, start)])))
  progress(`  ${left / megabyte} MB free: ${ledger.acknowledged} acknowledged so far, health ${seen.health.at(-1)}`)
}

/** Stops a load after `work`. */
async function during(start: () => Promise<Load>, work: (load: Load) => Promise<unknown>): Promise<void> {
  const load = await start()
  try {
    await work(load)
  } finally {
    await load.stop()
  }
}

/** Returns the milliseconds until readings and changes are acknowledged again; those who are refused try again. */
async function untilTaken(ledger: Ledger, start: () => Promise<Load>): Promise<number> {
  const started = performance.now()
  for (const before = ledger.acknowledged; ledger.acknowledged === before;)
    await during(start, load => Promise.race([ledger.further(1), load.ended]))
  return performance.now() - started
}

/** Calls a server whose disk is full. */
async function look({ list, change, health }: Calls, seen: Seen): Promise<void> {
  for (let time = 0; time < listsOfStep; time++) seen.lists.push(await timedAnswer(list))
  const refusal = await change('full')
  seen.changes.push(nameOf(headOf(refusal)))
  const { message } = (await refusal.json()) as { message?: string }
  seen.reasons.push(message ? 'a reason' : 'none')
  const answer = await health()
  const body = (await answer.json()) as { data?: { status: string } }
  seen.health.push(answer.ok ? (body.data?.status ?? 'no status') : String(answer.status))
}

function reportSeen({ lists, changes, reasons, health, acknowledged, recoveries }: Seen): void {
  const listAnswers = lists.map(({ answer }) => answer)
  reportAnswers('list while the disk is full', listAnswers, ['200'])
  reportAnswers('change while the disk is full', changes, ['507', '503'])
  reportAnswers('refused changes while the disk is full', reasons, ['a reason'])
  reportAnswers('health while the disk is full', health, ['disk full: read only', '507', '503'])
  report(
    figure(
      'list while the disk is full',
      'ms',
      lists.map(({ time }) => time),
      { p95: 250 },
    ),
    figure('full disk: readings and changes that were acknowledged', '', acknowledged, { max: 0 }),
    figure('change and readings after there is room', 'ms', recoveries, budget),
  )
}

async function startOnSmallDisk(): Promise<{ server: RealServer; folder: string } | undefined> {
  let folder = ''
  try {
    const prepare = (dataDir: string) => {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=400m,mode=0755', 'permeate-bench', dataDir], {
        stdio: 'ignore',
      })
      folder = dataDir
    }
    return { server: await startRealServer(undefined, fleet, prepare), folder }
  } catch (error) {
    if (folder !== '') throw error
    return undefined
  }
}
