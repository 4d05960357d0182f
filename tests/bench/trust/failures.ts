/** What a database that is frozen or killed, or a full disk, does to calls. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { devices } from '../../../src/api/contract/devices.ts'
import { events } from '../../../src/api/contract/events.ts'
import { fillDisk } from '../../support/fillDisk.ts'
import { countOthers, tally } from '../beside.ts'
import { figure, progress, report } from '../figures.ts'
import { startRealServer, type RealServer } from '../realServer.ts'
import { signIn } from '../session.ts'
import { databaseProcesses } from './serverProcesses.ts'

/** Milliseconds in which a call has to be answered while the database is frozen, and in which all goes on afterwards. */
const budget = { max: 5000 }
const megabyte = 1024 * 1024

/** A call and how long it took. */
async function timed(call: () => Promise<Response>): Promise<{ status: number; time: number }> {
  const started = performance.now()
  const status = await call().then(
    async answer => {
      await answer.arrayBuffer()
      return answer.status
    },
    () => 0,
  )
  return { status, time: performance.now() - started }
}

function caller(url: string, token: string) {
  const headers = { 'access-token': token, 'content-type': 'application/json' }
  const list = () => fetch(`${url}${devices.list.path}?limit=20`, { headers })
  return {
    list,
    health: () => fetch(`${url}/health`),
    /** Creates an event of a device. */
    change: async (title: string) => {
      const answer = (await (await list()).json()) as { data?: { data: { bssid: string }[] } }
      const at = new Date().toISOString()
      const bssid = answer.data?.data[0]?.bssid ?? 'none'
      const body = JSON.stringify({ title, description: '', start: at, end: at, devices: [bssid] })
      return fetch(url + events.create.path, { method: 'POST', headers, body })
    },
  }
}

function signalAll(processes: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of processes)
    try {
      process.kill(pid, signal)
    } catch (error) {
      // A connection's process may have ended meanwhile.
      if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
    }
}

/** Repeats a call until it succeeds; returns the milliseconds that took. */
async function untilOk(call: () => Promise<Response>): Promise<number> {
  const started = performance.now()
  while ((await timed(call)).status !== 200) await wait(50)
  return performance.now() - started
}

/** Freezes the database: how long lists and the health check take to say so, and until lists go on. */
export async function measureFrozen(server: RealServer, token: string): Promise<void> {
  progress('A frozen database …')
  const { list, health } = caller(server.url, token)
  const answers: { status: number; time: number }[] = []
  const checks: number[] = []
  const recoveries: number[] = []
  for (let round = 0; round < 3; round++) {
    const processes = databaseProcesses(server.dataDir)
    signalAll(processes, 'SIGSTOP')
    answers.push(...(await Promise.all(Array.from({ length: 10 }, () => timed(list)))), await timed(list))
    checks.push((await timed(health)).time)
    signalAll(processes, 'SIGCONT')
    recoveries.push(await untilOk(list))
  }
  const statuses = tally(answers.map(({ status }) => String(status)))
  progress(`  answers ${JSON.stringify(statuses)}`)
  report(
    figure('list while the database is frozen: other answers than 503', 'calls', [countOthers(statuses, '503')], {
      max: 0,
    }),
    figure(
      'list while the database is frozen',
      'ms',
      answers.map(({ time }) => time),
      budget,
    ),
    figure('health while the database is frozen', 'ms', checks, budget),
    figure('list after a frozen database goes on', 'ms', recoveries, budget),
  )
}

/** Kills the embedded PostgreSQL again and again during changes: what was answered with a 200 has to be there. */
export async function measureKills(server: RealServer, token: string, kills: number): Promise<void> {
  progress(`${kills} kills of the embedded PostgreSQL …`)
  const { list, change } = caller(server.url, token)
  const recoveries: number[] = []
  const stored = new Set<string>()
  const statuses = new Set<number>()
  for (let kill = 0; kill < kills; kill++) {
    const changing = Array.from({ length: 10 }, async (_, index) => {
      const title = `kill ${kill} ${index}`
      const { status } = await timed(() => change(title))
      statuses.add(status)
      if (status === 200) stored.add(title)
    })
    await wait(Math.random() * 100)
    signalAll(databaseProcesses(server.dataDir).slice(0, 1), 'SIGKILL')
    await Promise.all(changing)
    recoveries.push(await untilOk(list))
  }
  const span = `from=${new Date(Date.now() - 3_600_000).toISOString()}&to=${new Date(Date.now() + 60_000).toISOString()}`
  const answer = await fetch(`${server.url}${events.list.path}?${span}`, { headers: { 'access-token': token } })
  const { data } = (await answer.json()) as { data: { title: string }[] }
  const titles = data.map(({ title }) => title)
  const found = new Set(titles)
  const lost = [...stored].filter(title => !found.has(title)).length
  if (stored.size === 0) throw new Error('No change was acknowledged')
  progress(`  answers ${[...statuses].join(', ')}; ${stored.size} changes were acknowledged, ${lost} are lost`)
  report(
    figure('list after PostgreSQL was killed', 'ms', recoveries, budget),
    figure('acknowledged changes that are lost', 'changes', [lost], { max: 0 }),
    figure('changes that are doubled', 'changes', [titles.length - found.size], { max: 0 }),
  )
}

/**
 * Counts the syncs to disk that PostgreSQL asks the system for while changes are acknowledged one after the other: what a
 * power cut leaves is what was synced. Needs `strace`, and permission to trace.
 */
export async function measureSyncs(server: RealServer, token: string): Promise<void> {
  progress('Syncs to disk …')
  const { change } = caller(server.url, token)
  const processes = databaseProcesses(server.dataDir).flatMap(pid => ['-p', String(pid)])
  const strace = spawn('strace', ['-f', '-e', 'trace=fsync,fdatasync', ...processes], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let trace = ''
  strace.stderr.on('data', (text: Buffer) => (trace += text.toString()))
  const ended = once(strace, 'close').catch((error: unknown) => progress(`  left out: ${String(error)}`))
  while (!trace.includes('attached') && strace.exitCode === null && strace.pid !== undefined) await wait(20)
  if (!trace.includes('attached')) {
    await ended
    progress(`  left out: ${trace.trim() || 'strace is not installed'}`)
    return
  }
  let unsynced = 0
  let acknowledged = 0
  const count = () => trace.match(/(?:fsync|fdatasync)\(.*= 0|(?:fsync|fdatasync) resumed>.*= 0/g)?.length ?? 0
  for (let index = 0; index < 50; index++) {
    const before = count()
    const { status } = await timed(() => change(`sync ${index}`))
    if (status !== 200) continue
    acknowledged++
    // What strace has written may arrive after the answer.
    for (let look = 0; look < 20 && count() === before; look++) await wait(10)
    if (count() === before) unsynced++
  }
  strace.kill('SIGINT')
  await ended
  progress(`  ${acknowledged} changes were acknowledged, with ${count()} syncs`)
  report(figure('acknowledged changes that were not synced', 'changes', [unsynced], { median: 0 }))
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
    const { list, health, change } = caller(server.url, accessToken)
    const lists: number[] = []
    const recoveries: number[] = []
    for (const left of [40 * megabyte, 0]) {
      fillDisk(join(folder, 'filler'), folder, left)
      await wait(1500)
      const answers = [await timed(list), await timed(list), await timed(list)]
      lists.push(...answers.map(({ time }) => time))
      const changed = await timed(() => change('full'))
      progress(
        `  ${left / megabyte} MB free: lists ${answers.map(({ status }) => status).join(', ')}, ` +
          `change ${changed.status}, health ${(await timed(health)).status}`,
      )
      rmSync(join(folder, 'filler'))
      recoveries.push(await untilOk(() => change('room')))
    }
    report(
      figure('list while the disk is full', 'ms', lists, { max: 250 }),
      figure('change after there is space', 'ms', recoveries, budget),
    )
  } finally {
    await server.remove()
    execFileSync('umount', ['-l', folder])
  }
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
    return { server: await startRealServer(undefined, 100, prepare), folder }
  } catch (error) {
    if (folder !== '') throw error
    return undefined
  }
}
