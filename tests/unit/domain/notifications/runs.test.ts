/** Folding runs of notifications. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { foldRuns } from '../../../../src/domain/notifications/runs.ts'

const at = (minute: number) => `2026-11-20T10:${String(59 - minute).padStart(2, '0')}:00.000Z`
const rowsOf = (types: readonly string[]) =>
  types.map((type, index) => ({ _id: `n${index}`, type, created_at: at(index), device: { bssid: `d${index % 3}` } }))
const sameDay = (rows: readonly unknown[]) => rows.map(() => 0)
const none = new Set<string>()
const shown = (types: readonly string[], unfolded: ReadonlySet<string> = none, focused?: string) => {
  const rows = rowsOf(types)
  return foldRuns(rows, sameDay(rows), unfolded, focused).map(({ notification }) => notification._id)
}

test('four notifications of one type in a row are one line with their count, devices and times', () => {
  const rows = rowsOf(['leak', 'offline', 'offline', 'offline', 'offline', 'leak'])
  const entries = foldRuns(rows, sameDay(rows), none, undefined)
  expect(entries.map(({ index, run }) => [index, run?.count])).toEqual([
    [0, undefined],
    [1, 4],
    [5, undefined],
  ])
  expect(entries[1]?.run).toEqual({ isIncident: false, count: 4, devices: 3, from: at(4), to: at(1), isFolded: true })
})

test('shorter runs, and runs across midnight, are not folded', () => {
  expect(shown(['offline', 'offline', 'offline', 'leak'])).toHaveLength(4)
  const rows = rowsOf(['offline', 'offline', 'offline', 'offline'])
  expect(foldRuns(rows, [1, 1, 0, 0], none, undefined)).toHaveLength(4)
})

test('a run is shown once one of its notifications is unfolded, even after new ones have arrived', () => {
  expect(shown(Array(5).fill('offline'), new Set(['n1']))).toHaveLength(5)
})

test('the focused notification stays visible', () => {
  expect(shown(Array(6).fill('offline'), none, 'n3')).toEqual(['n0', 'n3'])
})

const incident = { devices: 40, last_at: at(2) }
const withIncident = rowsOf(['offline', 'offline', 'offline', 'offline', 'offline', 'offline']).map((row, index) =>
  index === 1 ? { ...row, incident } : row,
)

test('an incident is a line of its own, and not part of a run', () => {
  const entries = foldRuns(withIncident, sameDay(withIncident), none, undefined)
  expect(entries.map(({ index, run }) => [index, run?.count])).toEqual([
    [0, undefined],
    [1, 40],
    [2, 4],
  ])
  expect(entries[1]?.run).toEqual({
    isIncident: true,
    count: 40,
    devices: 40,
    from: at(1),
    to: at(2),
    isFolded: true,
  })
})

test('the members of an unfolded incident follow its line', () => {
  const members = { n1: rowsOf(['offline', 'offline']).map((row, index) => ({ ...row, _id: `m${index}` })) }
  const entries = foldRuns(withIncident, sameDay(withIncident), new Set(['n1']), undefined, members)
  expect(entries.map(({ notification, index, place }) => [notification._id, index, place])).toEqual([
    ['n0', 0, undefined],
    ['n1', 1, undefined],
    ['m0', 1, 0],
    ['m1', 1, 1],
    ['n2', 2, undefined],
  ])
  // Without them, the line alone is shown.
  expect(foldRuns(withIncident, sameDay(withIncident), new Set(['n1']), undefined)).toHaveLength(3)
})

test('law: every notification is shown or counted by the run before it, in order', () => {
  const types = fc.array(fc.constantFrom('offline', 'leak'), { maxLength: 40 })
  fc.assert(
    fc.property(types, fc.option(fc.nat(39), { nil: undefined }), (all, focused) => {
      const rows = rowsOf(all)
      const entries = foldRuns(rows, sameDay(rows), none, focused === undefined ? undefined : `n${focused}`)
      const indexes = entries.map(({ index }) => index)
      expect(indexes).toEqual(indexes.toSorted((a, b) => a - b))
      const counted = new Set(
        entries.flatMap(({ index, run }) => Array.from({ length: run?.count ?? 1 }, (_, offset) => index + offset)),
      )
      expect(counted.size).toBe(rows.length)
    }),
  )
})
