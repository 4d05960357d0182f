import { useUnseen } from '../api/notifications.ts'
import { NavigationBadge } from './NavigationBadge.tsx'

const badgeCap = 99

/** The number of unseen notifications, at most `99+`; nothing if there are none. */
export function UnseenBadge({ small }: { small: boolean }) {
  const count = useUnseen().data?.count ?? 0
  if (count === 0) return null
  const number = count > badgeCap ? `${badgeCap}+` : String(count)
  const rest = ` unseen ${count === 1 ? 'notification' : 'notifications'}`
  return <NavigationBadge number={number} rest={rest} title={`${number}${rest}`} small={small} />
}
