/** New events on days with a clock change, in a mocked time zone. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { CommandId } from '../../../../src/commands/core/commandId.ts'
import type { Context, Targets } from '../../../../src/commands/core/context.ts'
import { InvalidInput } from '../../../../src/commands/core/invalidInput.ts'
import { commandOf } from '../../../../src/commands/core/registry.ts'
import { keepDuration } from '../../../../src/screens/calendar/draft.ts'
import type { DeviceItem } from '../../../../src/store/selection.ts'

const machine = new Intl.DateTimeFormat().resolvedOptions()
beforeEach(
  () =>
    void vi
      .spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions')
      .mockReturnValue({ ...machine, timeZone: 'Europe/Berlin' }),
)
afterEach(() => void vi.restoreAllMocks())

const device: DeviceItem = { id: 'A', name: 'A', vendor: 'v', company: 'C', status: 0, platform: 'esp32' }
const here: Context = {
  role: 'vendor',
  path: '/calendar',
  list: undefined,
  targets: ((entity: string) => (entity === 'devices' ? [device] : [])) as Targets,
  last: undefined,
}
const problemsOf = (id: CommandId, input: unknown): Readonly<Record<string, string>> => {
  try {
    commandOf(id).prepare(here, input)
  } catch (error) {
    if (error instanceof InvalidInput) return error.fields
    throw error
  }
  return {}
}
const event = { title: 'Service', description: '' }

describe('a new event keeps its duration when its start changes', () => {
  const suggested = { start: '2027-03-28T00:00:00.000Z', end: '2027-03-28T01:00:00.000Z' }
  const moved = (start: string) => keepDuration(suggested, {}, { start })

  test('to an hour that is skipped', () => {
    expect(moved('2027-03-28T02:45')).toEqual({ start: '2027-03-28T02:45', end: '2027-03-28T02:45:00.000Z' })
    expect(moved('2027-03-28T01:30').end).toBe('2027-03-28T01:30:00.000Z')
  })

  test('to an hour that occurs twice', () => {
    // From the first half past two to the second.
    expect(moved('2026-10-25T02:30').end).toBe('2026-10-25T01:30:00.000Z')
  })

  test('to a year that is being typed', () => {
    let draft: Readonly<Record<string, unknown>> = {}
    for (const year of ['0002', '0020', '0203', '2031'])
      draft = keepDuration(suggested, draft, { ...draft, start: `${year}-03-04T09:00` })
    expect(draft).toEqual({ start: '2031-03-04T09:00', end: '2031-03-04T09:00:00.000Z' })
  })
})

describe('the message for an invalid time', () => {
  test('says that clocks skip an hour if the end is before the start because of it', () => {
    expect(
      problemsOf('calendar.create', { ...event, start: '2027-03-28T01:45:00Z', end: '2027-03-28T01:15:00Z' }),
    ).toEqual({ end: 'End must not be before the start at 03:45; clocks skip 02:45 on this day' })
    expect(
      problemsOf('calendar.create', { ...event, start: '2027-03-29T01:45:00Z', end: '2027-03-29T01:15:00Z' }),
    ).toEqual({ end: 'End must not be before the start' })
  })

  test('names the first and last year of the calendar', () => {
    const years = 'must be in the years 1970 to 2199'
    expect(
      problemsOf('calendar.create', { ...event, start: '0020-03-04T08:00:00Z', end: '2203-03-04T08:00:00Z' }),
    ).toEqual({ start: `Start ${years}`, end: `End ${years}` })
    for (const day of ['0000-01-01', '0099-12-31', '1969-12-31', '2200-01-01'])
      expect(problemsOf('calendar.goTo', { day })).toEqual({ day: `Day ${years}` })
    expect(problemsOf('calendar.goTo', { day: 'soon' })).toEqual({ day: 'Day must be a day such as 2026-03-29' })
    for (const day of ['1970-01-01', '2199-12-31']) expect(problemsOf('calendar.goTo', { day })).toEqual({})
  })
})
