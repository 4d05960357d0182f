import { useSnapshot } from 'valtio'
import type { Event } from '../../api/contract/events.ts'
import { SurfaceButtons } from '../../commands/surfaces/buttons/SurfaceButtons.tsx'
import { momentText, spanText, longDay } from '../../domain/calendar/texts.ts'
import { daysOf, wallOf } from '../../domain/calendar/days.ts'
import { systemTimeZone } from '../../domain/systemTimeZone.ts'
import { useSelection } from '../../store/selection.ts'
import { session } from '../../store/session.ts'
import { Fact, Facts } from '../../ui/Facts.tsx'
import { Link } from '../../ui/Link.tsx'
import { formatNumber } from '../../domain/format.ts'

/** The details of an event and its commands. */
export function EventInfo({ event }: { event: Event }) {
  const { userId } = useSnapshot(session)
  const selected = useSelection('devices')
  const zone = systemTimeZone()
  const { first, last } = daysOf(event, zone)
  const [start, end] = [Date.parse(event.start), Date.parse(event.end)]
  return (
    <>
      <section className="border-b border-line px-4 py-3.5">
        <h3 data-event-title tabIndex={-1} className="mb-1 text-[15px] font-semibold break-words outline-none">
          {event.title}
        </h3>
        <p className="tabular-nums">
          {first === last ? `${longDay(wallOf(first))}, ${spanText(event, zone)}` : spanText(event, zone)}
        </p>
        {event.description !== '' && (
          <p className="mt-2 break-words whitespace-pre-wrap text-ink2">{event.description}</p>
        )}
        <div className="mt-3">
          <SurfaceButtons on="event" />
        </div>
      </section>
      <Facts title="Details">
        <Fact name="Start">{momentText(zone, start, end)}</Fact>
        <Fact name="End">{momentText(zone, end, start)}</Fact>
        <Fact name="Time zone">{zone.replaceAll('_', ' ')}</Fact>
        {event.created_by === userId && <Fact name="Created by">You</Fact>}
      </Facts>
      <section className="px-4 py-3.5" aria-labelledby="event-devices">
        <h3 id="event-devices" className="mb-2 text-[12.5px] font-semibold">
          Devices
        </h3>
        <ul className="flex flex-wrap gap-1.5">
          {event.devices.map(bssid => (
            <li key={bssid}>
              <Link
                data-command="device.open"
                to={`/devices/${bssid}`}
                className="flex items-center gap-1.5 rounded-md border border-line px-1.5 py-0.5 font-mono text-[11.5px] hover:border-ink3"
              >
                <span
                  aria-hidden="true"
                  className="size-2 rounded-[3px] bg-ink3"
                  style={{ background: selected.colourOf(bssid) }}
                />
                {bssid}
              </Link>
            </li>
          ))}
          {event.device_count > event.devices.length && (
            <li className="px-1.5 py-0.5 text-ink2">+{formatNumber(event.device_count - event.devices.length)}</li>
          )}
        </ul>
      </section>
    </>
  )
}
