import { Suspense, useMemo, type ReactNode } from 'react'
import { useSnapshot } from 'valtio'
import type { Event } from '../../api/contract/events.ts'
import { commandOf } from '../../commands/core/registry.ts'
import { CommandButton } from '../../commands/surfaces/buttons/CommandButton.tsx'
import { visibleDays, todayIn } from '../../domain/calendar/days.ts'
import { viewTitle } from '../../domain/calendar/texts.ts'
import { systemTimeZone } from '../../domain/systemTimeZone.ts'
import { calendar, calendarView } from '../../store/calendar.ts'
import { useNow } from '../../ui/useNow.ts'
import { Agenda } from './Agenda.tsx'
import { CalendarToolbar } from './CalendarToolbar.tsx'
import { LazyEventGrid } from './LazyEventGrid.ts'
import { useVisibleEvents } from './useVisibleEvents.ts'

const none: readonly Event[] = []

/** The calendar of the devices' events, as month, week, day or agenda. */
export function CalendarScreen() {
  const state = useSnapshot(calendar)
  const zone = systemTimeZone()
  const now = useNow(60_000)
  const today = todayIn(zone, now)
  const view = calendarView(state.view)
  const date = state.date ?? today
  const { response, events: data, nothingSelected, suggestionProblem } = useVisibleEvents(view, date)
  const { error, isLoading } = response
  const events = nothingSelected ? none : (data ?? none)
  const failed = error !== undefined && data === undefined && !isLoading
  const days = useMemo(() => visibleDays(view, date), [view, date])
  return (
    <section aria-labelledby="calendar-title" className="flex min-h-0 min-w-0 flex-1 flex-col">
      <h1 id="calendar-title" tabIndex={-1} className="sr-only">
        Calendar
      </h1>
      <CalendarToolbar
        view={view}
        title={viewTitle(view, date)}
        events={data || nothingSelected ? events : undefined}
      />
      {failed && (
        <Note alert>
          <p>{error instanceof Error ? error.message : 'The events could not be loaded'}</p>
          <CommandButton command={commandOf('view.refresh')} label="Retry" />
        </Note>
      )}
      {suggestionProblem !== undefined && <Note>{suggestionProblem}</Note>}
      {nothingSelected && <Note>No devices are selected, so no events are shown.</Note>}
      <div className="flex min-h-0 min-w-0 flex-1 flex-col bg-panel" aria-busy={isLoading}>
        {view === 'agenda' ? (
          <Agenda
            events={failed ? undefined : nothingSelected || data ? events : 'loading'}
            days={days}
            zone={zone}
            today={today}
          />
        ) : (
          <Suspense fallback={<div className="m-4 flex-1 skeleton" />}>
            <LazyEventGrid
              view={view}
              date={date}
              minutes={state.minutes}
              events={events}
              zone={zone}
              today={today}
              now={now}
            />
          </Suspense>
        )}
      </div>
    </section>
  )
}

function Note({ alert = false, children }: { alert?: boolean; children: ReactNode }) {
  return (
    <div
      role={alert ? 'alert' : 'status'}
      className={`flex flex-wrap items-center gap-3 border-b border-line px-4 py-2 ${alert ? 'bg-bad-soft text-bad' : 'bg-sunk text-ink2'}`}
    >
      {children}
    </div>
  )
}
