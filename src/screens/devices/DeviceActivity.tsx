import { useState, type ReactNode } from 'react'
import type { DeviceDetail } from '../../api/contract/devices.ts'
import type { SentCommand } from '../../api/contract/sentCommands.ts'
import { useEvents } from '../../api/events.ts'
import { useDeviceNotifications } from '../../api/notifications.ts'
import { useSentCommands } from '../../api/sentCommands.ts'
import { commandOf } from '../../commands/core/registry.ts'
import { CommandButton } from '../../commands/surfaces/buttons/CommandButton.tsx'
import { EventLine } from '../../commands/surfaces/buttons/EventLine.tsx'
import { NotificationLine } from '../../commands/surfaces/buttons/NotificationLine.tsx'
import { toneClasses } from '../../commands/surfaces/buttons/tones.ts'
import { commandStates, commandText } from '../../commands/devices/commandTexts.ts'
import { formatDateTime } from '../../domain/format.ts'
import { useUnits } from '../../store/preferences.ts'
import { useNow } from '../../ui/useNow.ts'
import { Section } from './Section.tsx'
import { msPerDay } from '../../domain/time.ts'

/** The maximum number of each that is shown. */
const maxShown = { commands: 8, notifications: 6, events: 6 } as const

/** A list of loaded items, or a placeholder while they load, if loading failed, or if there are none. */
export function AsyncList<Item>(props: {
  response: { data?: readonly Item[] | undefined; error?: unknown }
  empty: string
  label: string
  children: (item: Item) => ReactNode
}) {
  const { response, empty, label, children } = props
  const { data, error } = response
  if (data === undefined && error !== undefined)
    return (
      <div role="alert" className="flex flex-wrap items-center justify-between gap-2 text-ink2">
        {error instanceof Error ? error.message : 'This could not be loaded'}
        <CommandButton command={commandOf('view.refresh')} label="Retry" />
      </div>
    )
  if (data === undefined)
    return (
      <div aria-hidden="true" className="grid gap-3 py-1">
        {[70, 85, 60].map(width => (
          <span key={width} className="skeleton block h-3.5" style={{ width: `${width}%` }} />
        ))}
      </div>
    )
  if (data.length === 0) return <p className="text-ink2">{empty}</p>
  return (
    <ul aria-label={label} className="grid gap-2.5">
      {data.map(children)}
    </ul>
  )
}

/** The commands that were recently sent to the device, with their outcomes. */
export function SentCommands({ device }: { device: DeviceDetail }) {
  const response = useSentCommands(device.bssid, maxShown.commands, device.updated_at)
  return (
    <Section title="Recent commands">
      <AsyncList response={response} label="Recent commands" empty="No commands in the last 90 days.">
        {command => <SentCommandLine key={command._id} command={command} />}
      </AsyncList>
    </Section>
  )
}

function SentCommandLine({ command }: { command: SentCommand }) {
  const units = useUnits()
  const { label, tone } = commandStates[command.state]
  return (
    <li className="flex min-w-0 items-start gap-2.5">
      <span
        className={`mt-px w-[74px] shrink-0 rounded-[5px] px-1.5 py-0.5 text-center text-[11px] font-medium ${toneClasses[tone]}`}
      >
        {label}
      </span>
      <span className="min-w-0 flex-1">
        <span className="break-words">{commandText(command.type, command.values, units)}</span>
        {command.reason && <span className="block text-[12px] break-words text-ink2">{command.reason}</span>}
      </span>
      <time dateTime={command.created_at} className="numeric shrink-0 text-ink3">
        {formatDateTime(command.created_at)}
      </time>
    </li>
  )
}

/** The newest notifications of the device. */
export function DeviceNotifications({ bssid }: { bssid: string }) {
  const response = useDeviceNotifications([bssid], maxShown.notifications)
  return (
    <Section title="Notifications" actions={<CommandButton command={commandOf('go.notifications')} label="All" />}>
      <AsyncList response={response} label="Notifications of the device" empty="No notifications.">
        {notification => (
          <li key={notification._id}>
            <NotificationLine notification={notification} when="date" />
          </li>
        )}
      </AsyncList>
    </Section>
  )
}

/** The calendar events of the device in the next two months and the last month. */
export function DeviceEvents({ bssid }: { bssid: string }) {
  const [from] = useState(() => Math.floor(Date.now() / msPerDay) * msPerDay - 30 * msPerDay)
  const response = useEvents({
    from: new Date(from).toISOString(),
    to: new Date(from + 90 * msPerDay).toISOString(),
    devices: [bssid],
  })
  const now = useNow(60_000)
  const { data } = response
  const upcoming = data
    ?.filter(event => Date.parse(event.end) >= now)
    .toSorted((a, b) => Date.parse(a.start) - Date.parse(b.start))
    .slice(0, maxShown.events)
  const past = data
    ?.filter(event => Date.parse(event.end) < now)
    .toSorted((a, b) => Date.parse(b.start) - Date.parse(a.start))
    .slice(0, maxShown.events - (upcoming?.length ?? 0))
  return (
    <Section title="Events" actions={<CommandButton command={commandOf('go.calendar')} label="Calendar" />}>
      <AsyncList
        response={{ data: upcoming, error: response.error }}
        label="Upcoming events"
        empty="No events in the next two months."
      >
        {event => (
          <li key={event._id} className="-mx-2">
            <EventLine event={event} when="date" />
          </li>
        )}
      </AsyncList>
      {past !== undefined && past.length > 0 && (
        <>
          <h3 className="mt-3 mb-1 text-[12px] font-medium text-ink3">Past</h3>
          <ul aria-label="Past events" className="grid gap-1">
            {past.map(event => (
              <li key={event._id} className="-mx-2">
                <EventLine event={event} when="date" />
              </li>
            ))}
          </ul>
        </>
      )}
    </Section>
  )
}
