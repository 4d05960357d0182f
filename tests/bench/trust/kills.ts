/** What kills of the database do to changes, and whether changes are synced to the disk. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { events } from '../../../src/api/contract/events.ts'
import { reportAnswers } from '../answers.ts'
import { figure, progress, report } from '../figures.ts'
import type { RealServer } from '../realServer.ts'
import { callsOf, timedAnswer, untilOk } from './calls.ts'
import { databaseProcesses, signalAll } from './serverProcesses.ts'

/** Milliseconds in which all goes on after a kill. */
const budget = { max: 5000 }

/** Kills the embedded PostgreSQL again and again during changes: what was answered with a 200 has to be there. */
export async function measureKills(server: RealServer, token: string, kills: number): Promise<void> {
  progress(`${kills} kills of the embedded PostgreSQL …`)
  const { list, change } = await callsOf(server.url, token)
  const recoveries: number[] = []
  const stored = new Set<string>()
  const answers: string[] = []
  for (let kill = 0; kill < kills; kill++) {
    const changing = Array.from({ length: 10 }, async (_, index) => {
      const title = `kill ${kill} ${index}`
      const { answer } = await timedAnswer(() => change(title))
      answers.push(answer)
      if (answer === '200') stored.add(title)
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
  progress(`  ${stored.size} changes were acknowledged, ${lost} are lost`)
  reportAnswers('changes while PostgreSQL is killed', answers, ['200', '503'])
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
  const { change } = await callsOf(server.url, token)
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
    const { answer } = await timedAnswer(() => change(`sync ${index}`))
    if (answer !== '200') continue
    acknowledged++
    // What strace has written may arrive after the answer.
    for (let look = 0; look < 20 && count() === before; look++) await wait(10)
    if (count() === before) unsynced++
  }
  strace.kill('SIGINT')
  await ended
  progress(`  ${acknowledged} changes were acknowledged, with ${count()} syncs`)
  // Without any acknowledged change nothing was shown.
  report(figure('acknowledged changes that were not synced', 'changes', acknowledged ? [unsynced] : [], { max: 0 }))
}
