import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { markSeen, useUnseen } from '../../api/notifications.ts'
import type { ShownNotification } from '../../store/notificationsView.ts'

const onVisibility = (changed: () => void): (() => void) => {
  document.addEventListener('visibilitychange', changed)
  return () => document.removeEventListener('visibilitychange', changed)
}

/** Returns the time of a notification, or of the last one of an incident. */
const timeOf = ({ created_at, incident }: ShownNotification): string => incident?.last_at ?? created_at

/**
 * Marks all notifications as seen once the newest is visible in a visible tab. Returns a predicate for notifications that
 * were unseen when the screen was opened; they stay highlighted until it is left.
 */
export function useMarkSeen(shown: readonly ShownNotification[]): (notification: ShownNotification) => boolean {
  const seenAt = useUnseen().data?.seen_at
  const [since, setSince] = useState(seenAt)
  if (since === undefined && seenAt !== undefined) setSince(seenAt)
  const visible = useSyncExternalStore(onVisibility, () => !document.hidden)
  const markedUntil = useRef('')
  // The newest row may be older than the last notification of an incident below it.
  const newest = shown.map(timeOf).reduce((last, time) => (time > last ? time : last), '')
  const until = visible && seenAt !== undefined && newest !== '' ? newest : undefined
  useEffect(() => {
    if (until === undefined || until <= markedUntil.current || (seenAt !== undefined && until <= seenAt)) return
    markedUntil.current = until
    // On failure the badge keeps its count, and the next change tries again.
    markSeen(until).catch(() => {
      markedUntil.current = ''
    })
  }, [until, seenAt])
  return notification => since !== undefined && timeOf(notification) > since
}
