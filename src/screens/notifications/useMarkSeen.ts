import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import type { Notification } from '../../api/contract/notifications.ts'
import { markSeen, useUnseen } from '../../api/notifications.ts'

const onVisibility = (changed: () => void): (() => void) => {
  document.addEventListener('visibilitychange', changed)
  return () => document.removeEventListener('visibilitychange', changed)
}

/**
 * Marks all notifications as seen once the newest is visible in a visible tab. Returns a predicate for notifications that
 * were unseen when the screen was opened; they stay highlighted until it is left.
 */
export function useMarkSeen(newest: Notification | undefined): (notification: Notification) => boolean {
  const seenAt = useUnseen().data?.seen_at
  const [since, setSince] = useState(seenAt)
  if (since === undefined && seenAt !== undefined) setSince(seenAt)
  const visible = useSyncExternalStore(onVisibility, () => !document.hidden)
  const markedUntil = useRef('')
  const until = visible && seenAt !== undefined ? newest?.created_at : undefined
  useEffect(() => {
    if (until === undefined || until <= markedUntil.current || (seenAt !== undefined && until <= seenAt)) return
    markedUntil.current = until
    // On failure the badge keeps its count, and the next change tries again.
    markSeen(until).catch(() => {
      markedUntil.current = ''
    })
  }, [until, seenAt])
  return ({ created_at }) => since !== undefined && created_at > since
}
