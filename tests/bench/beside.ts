/** What calls take beside a load. */
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { devices } from '../../src/api/contract/devices.ts'
import type { Probed, ProbedCall, ProbeOptions } from './callProbe.ts'
import { countOthers } from './answers.ts'
import { figure, minForP95, progress, report, type Budget } from './figures.ts'
import { watch } from './processes.ts'

/** The server under load, and who calls it beside that. */
export interface Subject {
  readonly url: string
  readonly process: number
  readonly token: string
}

/** A call that is repeated beside a load, and what it has to keep. */
export interface BesideCall extends ProbedCall {
  readonly budget: Budget | null
}

/** Milliseconds between two samples of memory. */
const sampleInterval = 250

/** The first page of devices, with what it has to keep beside any load. */
export const firstPage = (url: string, budget: Budget | null = { p95: 250 }): BesideCall => ({
  name: 'list',
  method: devices.list.method,
  url: `${url}${devices.list.path}?limit=20`,
  budget,
})

/** Runs a load while calls are repeated, by default that of a list; reports their times and returns what the load returned. */
export async function beside<Result>(
  load: string,
  { url, process, token }: Subject,
  run: () => Promise<Result>,
  calls: readonly BesideCall[] = [firstPage(url)],
): Promise<Result> {
  progress(`Calls beside ${load} …`)
  const workerData: ProbeOptions = { token, calls }
  const probe = new Worker(new URL('callProbe.ts', import.meta.url), { workerData })
  await once(probe, 'online')
  const usage = watch(process)
  let memory = 0
  const sampling = setInterval(() => (memory = Math.max(memory, usage().memory)), sampleInterval)
  try {
    const started = performance.now()
    const result = await run()
    const seconds = Math.round((performance.now() - started) / 100) / 10
    probe.postMessage('stop')
    const [probed] = (await once(probe, 'message')) as [Probed[]]
    progress(
      `  ${seconds} s, answers ${probed.map(({ name, statuses }) => `${name} ${JSON.stringify(statuses)}`).join(', ')}`,
    )
    for (const { name, times, statuses } of probed) {
      const budget = calls.find(call => call.name === name)?.budget ?? null
      report(figure(`${name} beside ${load}`, 'ms', times, budget))
      // A refusal is quick, so without this a server that refuses everybody would keep the budget.
      report(figure(`${name} beside ${load}: not answered`, 'calls', [countOthers(statuses, ['200'])], { max: 0 }))
      // Without enough calls there is no p95, and a server that answers hardly any would not be judged.
      const missing = Math.max(0, minForP95 - times.length)
      if (budget?.p95 !== undefined)
        report(figure(`${name} beside ${load}: calls missing for a p95`, 'calls', [missing], { max: 0 }))
    }
    report(figure(`memory beside ${load}: most, with the database`, 'MB', [memory], null))
    return result
  } finally {
    clearInterval(sampling)
    await probe.terminate()
  }
}

/** Repeats a load until it has run for `seconds`, so that there are enough calls beside it; returns what it returned. */
export async function atLeast<Result>(seconds: number, load: () => Promise<Result>): Promise<Result[]> {
  const results: Result[] = []
  const end = performance.now() + seconds * 1000
  do results.push(await load())
  while (performance.now() < end)
  return results
}
