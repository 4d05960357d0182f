/** The file of results, which is written again after each figure, so that a run that is cut short keeps what it measured. */
import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'
import { dirname } from 'node:path'
import { progress, reported, type Figure } from './figures.ts'

export interface PartResult {
  readonly figures: Figure[]
  seconds?: number
  /** Why the part ended early; its figures until then are kept. */
  failed?: string
}

export interface Results {
  readonly file: string
  /** Runs a part; the figures reported meanwhile are its results. An error is written down and not thrown. */
  during(part: string, run: () => Promise<unknown>): Promise<void>
  /** Adds facts about the machine, such as what an idle page takes. */
  note(facts: Readonly<Record<string, unknown>>): void
  json(): string
  /** Returns why the run has failed: parts that ended early, and aims that were missed. Empty if it has not. */
  failures(): string[]
}

/** Starts a file of results, replacing an older one. */
export function openResults(file: string, facts: Readonly<Record<string, unknown>>): Results {
  const parts: Record<string, PartResult> = {}
  const machine: Record<string, unknown> = {
    cores: cpus().length,
    cpu: cpus()[0]?.model ?? 'unknown',
    node: process.version,
    loadBefore: loadavg(),
  }
  const json = () => JSON.stringify({ ...facts, machine: { ...machine, loadAfter: loadavg() }, parts }, null, 2)
  const write = () => {
    // Renamed, so that a reader or a kill never finds half a file.
    writeFileSync(`${file}.new`, `${json()}\n`)
    renameSync(`${file}.new`, file)
  }
  mkdirSync(dirname(file), { recursive: true })
  write()
  return {
    file,
    async during(part, run) {
      const result: PartResult = (parts[part] = { figures: [] })
      const add = (one: Figure) => {
        result.figures.push(one)
        write()
      }
      reported.on('figure', add)
      const started = performance.now()
      try {
        await run()
      } catch (error) {
        result.failed = error instanceof Error ? error.message : String(error)
        progress(`✗ ${part} ended early: ${result.failed}`)
      } finally {
        reported.off('figure', add)
        result.seconds = Math.round((performance.now() - started) / 100) / 10
        write()
      }
    },
    note(more) {
      Object.assign(machine, more)
      write()
    },
    json,
    failures: () =>
      Object.entries(parts).flatMap(([part, { failed, figures }]) => [
        ...(failed === undefined ? [] : [`${part} ended early: ${failed}`]),
        ...figures.filter(({ ok }) => ok === false).map(({ name }) => `${part} missed its aim: ${name}`),
      ]),
  }
}
