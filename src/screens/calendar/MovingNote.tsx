import { useSnapshot } from 'valtio'
import { jobEventId } from '../../commands/calendar/jobEvents.ts'
import type { Event } from '../../api/contract/events.ts'
import { momentText } from '../../domain/calendar/texts.ts'
import { instantOf } from '../../domain/zone.ts'
import { calendar } from '../../store/calendar.ts'
import { Kbd } from '../../ui/Kbd.tsx'

/** Where the job that is being moved would start, over the grid and for screen readers. */
export function MovingNote(props: { events: ReadonlyMap<string, Event>; zone: string; now: number }) {
  const { events, zone, now } = props
  const { moving } = useSnapshot(calendar)
  const start = moving && instantOf(zone, moving.wall)
  return (
    <div role="status" className="pointer-events-none absolute inset-x-0 bottom-3 z-30 flex justify-center px-3">
      {moving && start !== undefined && (
        <p className="raised flex flex-wrap items-center gap-x-3 gap-y-1 rounded-lg px-3 py-2">
          <span className={start <= now ? 'text-bad' : ''}>
            {events.get(jobEventId(moving.job))?.title}:{' '}
            <span className="font-semibold tabular-nums">{momentText(zone, start)}</span>
            {start <= now && ', which has passed'}
          </span>
          <span className="flex items-center gap-1.5 text-ink2">
            {moving.by === 'keys' && (
              <>
                <Kbd caps={['↵']} /> <span className="sr-only">Enter: </span>move
              </>
            )}
            <Kbd caps={['Esc']} /> <span className="sr-only">Escape: </span>put back
          </span>
        </p>
      )}
    </div>
  )
}
