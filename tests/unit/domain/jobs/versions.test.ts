import { expect, test } from 'vitest'
import { newestFirst, versionRows } from '../../../../src/domain/jobs/versions.ts'

const counts = (...rows: readonly (readonly [string, number])[]) => rows.map(([version, count]) => ({ version, count }))

test('versions are ordered by their numbers, and an unknown one is last', () => {
  const rows = counts(['2.9.0', 1], ['', 4], ['2.10.0', 2], ['10.0.0', 3])
  expect(newestFirst(rows).map(({ version }) => version)).toEqual(['10.0.0', '2.10.0', '2.9.0', ''])
})

test('a chart has the versions of most devices and always the target', () => {
  const versions = counts(['5', 1], ['4', 2], ['3', 9], ['2', 8], ['1', 7])
  const { rows, others } = versionRows(versions, '6', 3)
  expect(rows).toEqual([
    { version: '6', count: 0, isTarget: true },
    { version: '3', count: 9, isTarget: false },
    { version: '2', count: 8, isTarget: false },
  ])
  expect(others).toEqual({ versions: 3, count: 10 })
  // One more takes no more room than the row of the others.
  expect(versionRows(versions, undefined, 4).rows).toHaveLength(5)
})
