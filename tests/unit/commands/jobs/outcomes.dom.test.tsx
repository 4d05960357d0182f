/** The outcomes of a job's targets: counts, reasons and labels. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  outcomeCounts,
  outcomeKinds,
  outcomeName,
  outcomesOf,
  progressOf,
  reasonsOf,
  stateLabel,
  formatDuration,
  undoneTargets,
} from '../../../../src/commands/jobs/outcomes.ts'
import { beginJob, endJob, recordOutcomes } from '../../../../src/commands/core/runs/jobRuns.ts'
import { outcomeFilters, type Job } from '../../../../src/commands/core/runs/jobs.ts'

const item = (id: string) => ({ id, name: id, row: undefined })
const begin = (ids: readonly string[], skipped: readonly string[] = []): Job =>
  beginJob({
    command: 'device.flush',
    title: 'Flush',
    entity: 'devices',
    input: {},
    targets: ids.map(item),
    skipped: skipped.map(id => ({ id, message: 'Offline' })),
    again: undefined,
    inverse: undefined,
  })

/** Ids, each with its outcome. */
const fates = fc.uniqueArray(
  fc.record({ id: fc.string({ minLength: 1 }), fate: fc.constantFrom('done', 'failed', 'skipped', 'waiting') }),
  { selector: ({ id }) => id, minLength: 1, maxLength: 40 },
)

test('law: every target has exactly one kind of outcome, and the counts match the lists', () => {
  fc.assert(
    fc.property(fates, all => {
      const of = (fate: string) => all.filter(one => one.fate === fate).map(({ id }) => id)
      const job = begin(
        all.map(({ id }) => id),
        of('skipped'),
      )
      recordOutcomes(
        job,
        of('done'),
        of('failed').map(id => ({ id, message: 'Timed out' })),
      )
      const counts = outcomeCounts(job)
      for (const filter of outcomeFilters) expect(outcomesOf(job, filter)).toHaveLength(counts[filter])
      const sorted = outcomeKinds.flatMap(kind => outcomesOf(job, kind).map(outcome => outcome.item.id))
      expect(sorted.toSorted()).toEqual(all.map(({ id }) => id).toSorted())
      for (const kind of outcomeKinds) expect(outcomesOf(job, kind).map(outcome => outcome.item.id)).toEqual(of(kind))
      expect(undoneTargets(job)).toHaveLength(all.length - of('done').length)
      expect(progressOf(job)).toBeCloseTo(1 - of('waiting').length / all.length)
    }),
  )
})

test('counts failed and skipped targets separately, and lists reasons by frequency', () => {
  const job = begin(['a', 'b', 'c', 'd', 'e'], ['a'])
  expect(stateLabel(job)).toBe('Running')
  endJob(job, {
    outcome: {
      done: ['b'],
      failed: [
        { id: 'c', message: 'Timed out' },
        { id: 'd', message: 'Timed out' },
        { id: 'e', message: 'Refused' },
        { id: 'a', message: 'Offline' },
      ],
    },
  })
  expect(outcomeCounts(job)).toEqual({ all: 5, done: 1, failed: 3, skipped: 1, waiting: 0 })
  expect(reasonsOf(job)[0]).toEqual({ reason: 'Timed out', ids: ['c', 'd'] })
  expect(reasonsOf(job)).toHaveLength(3)
  expect(stateLabel(job)).toBe('Partly done')
  expect(stateLabel({ ...job, undone: true })).toBe('Undone')
  expect(outcomeName('waiting', 'running')).toBe('Waiting')
  expect(outcomeName('waiting', 'lost')).toBe('Unknown')
})

test('a cancelled job is labelled Cancelling until it ends', () => {
  const job = begin(['a', 'b'])
  job.detail.cancel.abort()
  expect(stateLabel(job)).toBe('Cancelling')
  endJob(job, { outcome: { done: ['a'], failed: [{ id: 'b', message: 'Cancelled before it was sent' }] } })
  expect(stateLabel(job)).toBe('Cancelled')
})

test('a job that was cancelled after everything was sent is labelled Done', () => {
  const job = begin(['a', 'b'])
  job.detail.cancel.abort()
  endJob(job, { outcome: { done: ['a', 'b'], failed: [] } })
  expect(stateLabel(job)).toBe('Done')
})

test.each([
  [0, '0.0 s'],
  [9_940, '9.9 s'],
  [12_400, '12 s'],
  [59_400, '59 s'],
  [59_600, '60 s'],
  [200_000, '3 min 20 s'],
  [3_599_700, '1 h 0 min'],
  [3_900_000, '1 h 5 min'],
  [458_040_000, '5 d 7 h'],
])('%d ms is formatted as %s', (milliseconds, text) => expect(formatDuration(milliseconds)).toBe(text))
