import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it, vi } from 'vitest'
import { figure, report } from '../../bench/figures.ts'
import { openResults } from '../../bench/results.ts'

const folder = mkdtempSync(join(tmpdir(), 'permeate-results-'))
afterAll(() => {
  vi.restoreAllMocks()
  rmSync(folder, { recursive: true })
})

interface Written {
  readonly parts: Record<string, { figures: { name: string }[]; failed?: string; seconds?: number }>
}

it('writes each figure at once, and goes on after a part that fails', async () => {
  vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  const results = openResults(join(folder, 'deep', 'results.json'), { fleet: 1 })
  const written = () => JSON.parse(readFileSync(results.file, 'utf8')) as Written
  expect(written()).toMatchObject({ fleet: 1, parts: {} })

  await results.during('first', async () => {
    report(figure('keys', 'ms', [1], null))
    expect(written().parts.first!.figures.map(({ name }) => name)).toEqual(['keys'])
    throw new Error('The browser is gone')
  })
  expect(results.failures()).toEqual(['first ended early: The browser is gone'])
  await results.during('second', async () => report(figure('wheel', '%', [1], null)))

  const { first, second } = written().parts
  expect(first).toMatchObject({ failed: 'The browser is gone', seconds: expect.any(Number) as number })
  expect(first!.figures).toHaveLength(1)
  expect(second!.figures.map(({ name }) => name)).toEqual(['wheel'])
  expect(second!.failed).toBeUndefined()
  expect(JSON.parse(results.json())).toEqual({ ...written(), machine: expect.anything() as object })
  // Figures between two parts belong to none.
  report(figure('late', 'ms', [1], null))
  expect(written().parts.second!.figures).toHaveLength(1)
})

it('fails for an aim that was missed, and not for one that was kept or could not be judged', async () => {
  vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  const results = openResults(join(folder, 'aims.json'), {})
  await results.during('lists', async () => report(figure('first page', 'ms', [1], { max: 1 })))
  await results.during('keys', async () => report(figure('a few keys', 'ms', [1, 3], { p95: 2 })))
  expect(results.failures()).toEqual([])
  await results.during('lists again', async () => report(figure('last page', 'ms', [2], { max: 1 })))
  expect(results.failures()).toEqual(['lists again missed its aim: last page'])
})
