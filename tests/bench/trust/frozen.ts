/** What a database that does not answer does to calls. */
import { reportAnswers } from '../answers.ts'
import { repeat } from '../browser.ts'
import { figure, progress, report } from '../figures.ts'
import type { RealServer } from '../realServer.ts'
import { callsOf, timedAnswer, untilOk, type TimedAnswer } from './calls.ts'
import { databaseProcesses, signalAll } from './serverProcesses.ts'

/** Milliseconds in which a call has to be answered while the database is frozen, and in which all goes on afterwards. */
const budget = { max: 5000 }
const rounds = 3
const callers = 10

/** Freezes the database: how calls and the health check are answered, and how long it takes until lists go on. */
export async function measureFrozen(server: RealServer, token: string): Promise<void> {
  progress('A frozen database …')
  const { list, change, health } = await callsOf(server.url, token)
  const calls: TimedAnswer[] = []
  const checks: TimedAnswer[] = []
  const recoveries: number[] = []
  for (let round = 0; round < rounds; round++) {
    const processes = databaseProcesses(server.dataDir)
    signalAll(processes, 'SIGSTOP')
    // The first ones find out that it does not answer, the last one is told so.
    const first = repeat(callers, index => timedAnswer(index % 2 ? list : () => change(`frozen ${round} ${index}`)))
    calls.push(...(await Promise.all(first)), await timedAnswer(list))
    checks.push(await timedAnswer(health))
    signalAll(processes, 'SIGCONT')
    recoveries.push(await untilOk(list))
  }
  reportTimed('calls while the database is frozen', calls, ['503'])
  reportTimed('health while the database is frozen', checks, ['503'])
  report(figure('list after a frozen database goes on', 'ms', recoveries, budget))
}

function reportTimed(name: string, all: readonly TimedAnswer[], permitted: readonly string[]): void {
  reportAnswers(
    name,
    all.map(({ answer }) => answer),
    permitted,
  )
  report(
    figure(
      name,
      'ms',
      all.map(({ time }) => time),
      budget,
    ),
  )
}
