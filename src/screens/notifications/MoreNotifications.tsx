import type { Notification } from '../../api/contract/notifications.ts'
import type { FeedState } from '../../api/feed.ts'
import { commandOf } from '../../commands/core/registry.ts'
import { CommandButton } from '../../commands/surfaces/buttons/CommandButton.tsx'
import { isWhole } from '../../domain/feed.ts'
import { messageOf } from './instead.tsx'

const more = commandOf('notification.more')

/** The end of what is loaded: more of it, or why there is none. */
export function MoreNotifications({ state }: { state: FeedState<Notification> }) {
  const { rows, count = rows.length, asking, failed } = state
  if (isWhole(state)) return <p className="p-5 text-center text-ink3">These are all of them.</p>
  return (
    <div className="grid justify-items-center gap-2 p-4">
      {failed?.asking === 'more' && (
        <p role="alert" className="text-bad">
          {messageOf(failed.error)}
        </p>
      )}
      <CommandButton
        command={more}
        label={asking === 'more' ? 'Loading…' : failed?.asking === 'more' ? 'Retry' : more.title}
        primary={failed?.asking === 'more'}
      />
      <p className="text-ink3 tabular-nums">
        {rows.length.toLocaleString('en')} of {count.toLocaleString('en')}
      </p>
    </div>
  )
}
