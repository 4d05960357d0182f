import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import type { Notification } from '../../api/contract/notifications.ts'
import { markSeen, useUnseen } from '../../api/notifications.ts'

const onVisibility = (changed: () => void): (() => void) => {
  document.addEventListener('visibilitychange', changed)
  return () => document.removeEventListener('visibilitychange', changed)
}

/**
 * Looking at the newest, in a tab that is in sight, makes all of them seen. Returns which were not when one came: those
 * stay marked until one leaves.
 */
export function useLooked(newest: Notification | undefined): (notification: Notification) => boolean {
  const seenAt = useUnseen().data?.seen_at
  const [since, setSince] = useState(seenAt)
  if (since === undefined && seenAt !== undefined) setSince(seenAt)
  const inSight = useSyncExternalStore(onVisibility, () => !document.hidden)
  const told = useRef('')
  const until = inSight && seenAt !== undefined ? newest?.created_at : undefined
  useEffect(() => {
    if (until === undefined || until <= told.current || (seenAt !== undefined && until <= seenAt)) return
    told.current = until
    // The badge goes on showing them; the next look tries again.
    markSeen(until).catch(() => {
      told.current = ''
    })
  }, [until, seenAt])
  return ({ created_at }) => since !== undefined && created_at > since
}
