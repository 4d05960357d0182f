/** The runs that a page keeps. */
import { afterEach, expect, test } from 'vitest'
import { beginJob, endJob } from '../../../../../src/commands/core/runs/jobRuns.ts'
import { jobs } from '../../../../../src/commands/core/runs/jobs.ts'

afterEach(() => void (jobs.list = []))

const begin = (title: string) =>
  beginJob({
    command: 'device.lock',
    title,
    entity: 'devices',
    targets: [],
    input: {},
    skipped: [],
    again: undefined,
    inverse: undefined,
  })

test('a page keeps its hundred newest runs, and all that are running', () => {
  begin('running')
  for (let number = 1; number <= 120; number++) endJob(begin(String(number)), { outcome: { done: [], failed: [] } })
  const titles = jobs.list.map(({ title }) => title)
  expect(titles).toHaveLength(101)
  expect(titles[0]).toBe('120')
  expect(titles.at(-2)).toBe('21')
  expect(titles.at(-1)).toBe('running')
})
