import type { Event } from '../../../api/contract/events.ts'
import { laterDayText, momentText, spanText } from '../../../domain/calendar/texts.ts'
import { daysOf, type Day } from '../../../domain/calendar/days.ts'
import { hasTwelveHours } from '../../../domain/dates.ts'
import { systemTimeZone } from '../../../domain/systemTimeZone.ts'
import { useSelection } from '../../../store/selection.ts'
import { isSuggestion } from '../../calendar/suggestionIds.ts'
import { run } from '../run/run.ts'
import { plural } from '../../../domain/plural.ts'

/**
 * An event in a list: its time, title and number of devices. A click opens it in the calendar. If `when` is 'time', only
 * events of several days show their dates.
 */
export function EventLine(props: {
  event: Event
  when: 'time' | 'date'
  /** The day under which it is listed; on the later days of an event, only its end is shown. */
  day?: Day
  /** Whether Tab stops at it; in a list with arrow keys, only one line is a tab stop. */
  reachable?: boolean
}) {
  const { event, when, day, reachable = true } = props
  const zone = systemTimeZone()
  const { first, last } = daysOf(event, zone)
  const [start, end] = [Date.parse(event.start), Date.parse(event.end)]
  const colour = useEventColour(event)
  const span = spanText(event, zone)
  const isLater = day !== undefined && day > first
  const isSuggested = isSuggestion(event._id)
  return (
    <button
      type="button"
      data-command="calendar.open"
      data-event-id={event._id}
      tabIndex={reachable ? 0 : -1}
      className="flex w-full min-w-0 items-start gap-2.5 rounded-md px-2 py-1.5 text-left hover:bg-sunk focus-visible:outline-offset-[-2px]"
      onClick={() => void run('calendar.open', { input: { event: event._id, at: event.start } })}
    >
      {isSuggested ? (
        <span className="mt-[3px] h-[13px] w-[3px] shrink-0 border-l-[3px] border-dashed border-accent" />
      ) : (
        <span className="mt-[3px] h-[13px] w-[3px] shrink-0 rounded-full" style={{ background: colour }} />
      )}
      <span
        className={`w-[7.6rem] shrink-0 text-ink2 tabular-nums ${day !== undefined && hasTwelveHours() ? 'sm:w-[9.8rem]' : ''}`}
      >
        {isLater ? (
          laterDayText(event, zone, day)
        ) : (
          <>
            {when === 'date' || first !== last ? momentText(zone, start, end) : span}
            {first !== last && <span className="block">– {momentText(zone, end, start)}</span>}
          </>
        )}
      </span>
      <span className={`min-w-0 flex-1 break-words ${isSuggested ? 'text-ink2' : ''}`}>
        {isSuggested && (
          <span className="mr-0.5 rounded-[5px] border border-dashed border-accent px-1 text-[11.5px] whitespace-nowrap text-accent">
            Suggestion
          </span>
        )}{' '}
        {event.title}
      </span>
      <span className="shrink-0 text-ink3">{deviceCount(event)}</span>
    </button>
  )
}

export const deviceCount = ({ device_count: count }: Event): string => plural(count, 'device')

/** Returns the selection colour of the first selected device that the event lists, or else the accent colour. */
export function useEventColour(event: Event): string {
  const selected = useSelection('devices')
  return event.devices.map(selected.colourOf).find(Boolean) ?? 'var(--accent)'
}
