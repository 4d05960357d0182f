/** Placeholders for the list: loading, failed and empty. */
import type { ReactNode } from 'react'
import { maxDevices, type NotificationFilter } from '../../api/notificationFeed.ts'
import { commandOf } from '../../commands/core/registry.ts'
import { CommandButton } from '../../commands/surfaces/buttons/CommandButton.tsx'
import { formatNumber } from '../../domain/format.ts'

function Placeholder({ alert = false, children }: { alert?: boolean; children: ReactNode }) {
  return (
    <div
      role={alert ? 'alert' : undefined}
      className="grid flex-1 place-content-center justify-items-center gap-3 p-8 text-center text-ink2"
    >
      {children}
    </div>
  )
}

export function Skeleton() {
  return (
    <div aria-busy="true" aria-label="Loading" role="group" className="grid content-start gap-px pt-8">
      {Array.from({ length: 8 }, (_, index) => (
        <div key={index} className="flex gap-3 border-b border-line bg-panel px-4 py-3.5">
          <span className="size-6 skeleton" />
          <span className="grid flex-1 gap-2">
            <span className="h-3 w-2/5 skeleton" />
            <span className="h-2.5 w-1/4 skeleton" />
          </span>
        </div>
      ))}
    </div>
  )
}

export function NotAvailable({ error }: { error: unknown }) {
  return (
    <Placeholder alert>
      <p>{loadErrorText(error)}</p>
      <CommandButton command={commandOf('notification.refresh')} label="Retry" primary />
    </Placeholder>
  )
}

export const loadErrorText = (error: unknown): string =>
  error instanceof Error ? error.message : 'The notifications could not be loaded'

export function TooManySelected({ selected }: { selected: number }) {
  return (
    <Placeholder>
      <p>
        {formatNumber(selected)} devices are selected. Notifications can be filtered by at most {maxDevices}.
      </p>
      <CommandButton command={commandOf('notification.onlySelected')} label="Show all devices" primary />
    </Placeholder>
  )
}

export function NoNotifications({ filter: { types, devices } }: { filter: NotificationFilter }) {
  if (!types && !devices)
    return (
      <Placeholder>
        <p>No notifications yet. New notifications from devices appear here.</p>
      </Placeholder>
    )
  return (
    <Placeholder>
      <p>
        {devices?.length === 0
          ? 'No devices selected, so there are no notifications to show.'
          : types?.length === 0
            ? 'No notification types selected.'
            : 'No notifications match the filter.'}
      </p>
      <CommandButton command={commandOf('notification.all')} primary />
    </Placeholder>
  )
}
