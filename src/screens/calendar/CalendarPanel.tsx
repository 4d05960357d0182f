import { useEffect, useMemo, useRef } from 'react'
import { useSnapshot } from 'valtio'
import { cachedEvent } from '../../api/events.ts'
import { hasOwnDevices } from '../../commands/calendar/needs.ts'
import { countOf } from '../../commands/core/wording.ts'
import { commandOf } from '../../commands/core/registry.ts'
import { SurfaceButtons } from '../../commands/surfaces/buttons/SurfaceButtons.tsx'
import { CommandButton } from '../../commands/surfaces/buttons/CommandButton.tsx'
import { CommandForm } from '../../commands/surfaces/forms/CommandForm.tsx'
import { EventLine } from '../../commands/surfaces/buttons/EventLine.tsx'
import { newEventAt, visibleDays, todayIn, wallOf } from '../../domain/calendar/days.ts'
import { longDay } from '../../domain/calendar/texts.ts'
import { systemTimeZone } from '../../domain/systemTimeZone.ts'
import { calendar, calendarView } from '../../store/calendar.ts'
import { layout, narrow } from '../../store/layout.ts'
import { useSelection, type DeviceItem } from '../../store/selection.ts'
import { useMediaQuery } from '../../ui/useMediaQuery.ts'
import { useNow } from '../../ui/useNow.ts'
import { Panel } from '../../ui/Panel.tsx'
import { EventInfo } from './EventInfo.tsx'
import { keepDuration } from './draft.ts'
import { eventsByDay } from './gridLabels.ts'
import { useVisibleEvents } from './useVisibleEvents.ts'

const tabs = [
  { id: 'info', title: 'Info' },
  { id: 'create', title: 'Create' },
] as const
const create = commandOf('calendar.create')

/** The calendar's side panel: the open event or the focused day, and the form for a new event. */
export function CalendarPanel({ width, onClose }: { width: number; onClose: () => void }) {
  const { panelTab } = useSnapshot(layout)
  const { openEvent, focusRequest } = useSnapshot(calendar)
  const isOverlay = useMediaQuery(narrow.panel)
  const body = useRef<HTMLDivElement>(null)
  const tab = panelTab === 'create' ? 'create' : 'info'
  const focusedDay = useFocusedDay()
  // Undefined after the events were revalidated and this one has been deleted.
  const event = cachedEvent(openEvent)

  // Without dependencies: the form or the event may be rendered later than the request.
  useEffect(() => {
    if (focusRequest !== 'form' && focusRequest !== 'event') return
    const target = body.current?.querySelector<HTMLElement>(
      focusRequest === 'form' ? 'form .input' : '[data-event-title]',
    )
    if (!target) return
    calendar.focusRequest = undefined
    target.focus()
  })

  return (
    <Panel
      title={tab === 'info' && event ? 'Event' : 'Calendar'}
      mono={false}
      width={width}
      isOverlay={isOverlay}
      onClose={onClose}
      actions={<SurfaceButtons on="panelHead" iconOnly />}
      head={<SelectedDevices />}
      tabs={tabs}
      tab={tab}
      onTab={next => (layout.panelTab = next)}
    >
      <div ref={body}>
        {tab === 'create' ? <NewEvent /> : event ? <EventInfo event={event} /> : <DayInfo {...focusedDay} />}
      </div>
    </Panel>
  )
}

/** Returns the focused day, and the events of its view. */
function useFocusedDay() {
  const state = useSnapshot(calendar)
  const today = todayIn(systemTimeZone(), useNow(60_000))
  const date = state.date ?? today
  const view = calendarView(state.view)
  return { view, date, shown: useVisibleEvents(view, date).events }
}

/** The events of the focused day. */
function DayInfo({ view, date, shown }: ReturnType<typeof useFocusedDay>) {
  const zone = systemTimeZone()
  const { first, end } = visibleDays(view, date)
  const byDay = useMemo(() => shown && eventsByDay(shown, zone, { first, end }), [shown, zone, first, end])
  const events = byDay && (byDay.get(date) ?? [])
  return (
    <div className="px-2.5 py-3.5">
      <h3 className="mb-1 px-1.5 text-[12.5px] font-semibold">{longDay(wallOf(date))}</h3>
      {events?.length === 0 && <p className="px-1.5 text-ink2">No events on this day.</p>}
      <ul>
        {events?.map(event => (
          <li key={event._id}>
            <EventLine event={event} when="time" />
          </li>
        ))}
      </ul>
    </div>
  )
}

function SelectedDevices() {
  const { size } = useSelection('devices')
  return (
    <p className="mt-0.5 text-ink2">{size === 0 ? 'No devices selected' : `${countOf(size, 'devices')} selected`}</p>
  )
}

function NewEvent() {
  const { draft, suggestedSpan } = useSnapshot(calendar, { sync: true })
  const selected = useSelection('devices')
  const items = selected.items() as readonly DeviceItem[]
  const zone = systemTimeZone()
  const today = todayIn(zone, useNow(60_000))
  const values = useMemo(() => {
    const { start, end } = suggestedSpan ?? newEventAt(zone, today)
    return {
      title: '',
      description: '',
      start,
      end,
      devices: items.map(({ id, company }) => ({ value: id, name: id, detail: company })),
    }
  }, [suggestedSpan, items, today, zone])
  return (
    <>
      <CommandForm
        command={create}
        action="Create"
        values={values}
        edits={draft}
        onEdits={change => (calendar.draft = keepDuration(values, calendar.draft, change(calendar.draft)))}
      />
      {items.length === 0 && !hasOwnDevices(draft) && (
        <div className="px-4 py-3">
          <CommandButton command={commandOf('device.find')} />
        </div>
      )}
    </>
  )
}
