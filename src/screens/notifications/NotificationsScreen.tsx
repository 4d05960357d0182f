import { useMemo } from 'react'
import { useSnapshot } from 'valtio'
import { notificationTypes } from '../../domain/notifications/types.ts'
import { maxDevices } from '../../api/notificationFeed.ts'
import { useHealthNotices } from '../../api/health/notices.ts'
import { useNotifications } from '../../api/notifications.ts'
import { notificationsView } from '../../store/notificationsView.ts'
import { useSelection } from '../../store/selection.ts'
import { NoNotifications, NotAvailable, Skeleton, TooManySelected } from './placeholders.tsx'
import { NotificationList } from './NotificationList.tsx'
import { NotificationToolbar } from './NotificationToolbar.tsx'

/** The devices' notifications by day, newest first. */
export function NotificationsScreen() {
  const filter = useFilter()
  const { findings } = useSnapshot(notificationsView)
  useHealthNotices(findings, filter.devices)
  const tooMany = filter.devices && filter.devices.length > maxDevices ? filter.devices.length : undefined
  // Nothing is read for more devices than a query can name.
  const state = useNotifications(tooMany ? matchNothing : filter)
  return (
    <section aria-labelledby="notifications-title" className="flex min-h-0 min-w-0 flex-1 flex-col">
      <h1 id="notifications-title" tabIndex={-1} className="sr-only">
        Notifications
      </h1>
      <NotificationToolbar count={tooMany ? undefined : state.count} />
      {tooMany ? (
        <TooManySelected selected={tooMany} />
      ) : state.count === undefined ? (
        state.failed ? (
          <NotAvailable error={state.failed.error} />
        ) : (
          <Skeleton />
        )
      ) : state.rows.length === 0 ? (
        <NoNotifications filter={filter} />
      ) : (
        <NotificationList state={state} filtered={Boolean(filter.types ?? filter.devices) || !findings} />
      )}
    </section>
  )
}

const matchNothing = { types: [] }

/** Returns the filter; all types or all devices do not filter. */
function useFilter() {
  const { hidden, onlySelected } = useSnapshot(notificationsView)
  const selection = useSelection('devices')
  const devices = onlySelected ? selection.items() : undefined
  return useMemo(() => {
    const types = notificationTypes.filter(type => !hidden.includes(type))
    return {
      ...(types.length < notificationTypes.length && { types }),
      ...(devices && { devices: devices.map(({ id }) => id) }),
    }
  }, [hidden, devices])
}
