/** The agenda by keys. */
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { unload, unstable_serialize } from 'swr'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { cache } from '../../../../src/api/cache.ts'
import type { Event } from '../../../../src/api/contract/events.ts'
import { scheduledKey } from '../../../../src/api/jobs/jobList.ts'
import { jobEventId } from '../../../../src/commands/calendar/jobEvents.ts'
import { currentContext } from '../../../../src/commands/core/context.ts'
import { commandOf } from '../../../../src/commands/core/registry.ts'
import type { Services } from '../../../../src/commands/core/types.ts'
import { Agenda } from '../../../../src/screens/calendar/Agenda.tsx'
import { calendar, resetCalendar } from '../../../../src/store/calendar.ts'
import { clearSession, setSession } from '../../../../src/store/session.ts'
import { jobId, serverJob } from '../../support/serverJobs.ts'
import '../../support/allCommands.ts'

const event = (id: string, hour: number): Event => ({
  _id: id,
  title: id,
  description: '',
  start: `2026-03-03T${String(hour).padStart(2, '0')}:00:00.000Z`,
  end: `2026-03-03T${String(hour + 1).padStart(2, '0')}:00:00.000Z`,
  devices: ['A'],
  device_count: 1,
  created_by: '1',
})
const [first, second, third] = [event('first', 7), event('second', 9), event('third', 11)] as const
const agendaOf = (events: readonly Event[] | 'loading') => (
  <>
    <h1 id="calendar-title" tabIndex={-1}>
      Calendar
    </h1>
    <Agenda events={events} days={{ first: '2026-03-01', end: '2026-04-01' }} zone="UTC" today="2026-03-01" />
  </>
)
const line = (name: string) => screen.getByRole('button', { name: new RegExp(name) })

beforeEach(() => {
  vi.stubGlobal('matchMedia', () => ({ matches: false }))
  setSession({ accessToken: 'a', refreshToken: 'r', userId: '1', userRole: 'admin', login: 'admin' })
  window.history.replaceState(null, '', '/calendar')
  Object.assign(calendar, { view: 'agenda', date: '2026-03-01' })
})
afterEach(() => {
  cleanup()
  resetCalendar()
  calendar.view = undefined
  calendar.focusRequest = undefined
  unload({ revalidate: false })
  vi.unstubAllGlobals()
  clearSession()
})

test('a scheduled job stays at its time, and its keys do not move the focus', async () => {
  const job = serverJob({ _id: jobId(1), state: 'scheduled', start_at: second.start })
  cache.set(unstable_serialize(scheduledKey), { data: [job] })
  render(agendaOf([first, { ...second, _id: jobEventId(job._id) }, third]))
  line('second').focus()
  for (const key of ['ArrowDown', 'ArrowUp']) {
    expect(fireEvent.keyDown(line('second'), { key, shiftKey: true })).toBe(true)
    expect(document.activeElement).toBe(line('second'))
  }
  for (const id of ['calendar.jobNextDay', 'calendar.jobLater'] as const) {
    const move = commandOf(id).prepare(currentContext(), {})
    await expect(async () => move.run({} as unknown as Services)).rejects.toThrow(
      'Jobs are moved in the month, week and day',
    )
  }
  expect(calendar).toMatchObject({ moving: undefined, date: '2026-03-01' })
})

test('the focus moves to the next event when the focused one is deleted, and to the heading after the last one', () => {
  const { rerender } = render(agendaOf([first, second, third]))
  line('second').focus()
  rerender(agendaOf([first, third]))
  expect(document.activeElement).toBe(line('third'))
  rerender(agendaOf([first]))
  expect(document.activeElement).toBe(line('first'))
  rerender(agendaOf([]))
  expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Calendar' }))
})
