import type { FeedState } from '../../api/feedLoader.ts'
import { commandOf } from '../../commands/core/registry.ts'
import { CommandButton } from '../../commands/surfaces/buttons/CommandButton.tsx'
import { isComplete } from '../../domain/feed.ts'
import { loadErrorText } from './placeholders.tsx'
import type { ShownNotification } from '../../store/notificationsView.ts'
import { formatNumber } from '../../domain/format.ts'

const more = commandOf('notification.more')

/** The end of the loaded notifications: a button for more, or an error. */
export function MoreNotifications({ state }: { state: FeedState<ShownNotification> }) {
  const { rows, count = rows.length, loading, failed } = state
  if (isComplete(state)) return <p className="p-5 text-center text-ink3">No more notifications.</p>
  return (
    <div className="grid justify-items-center gap-2 p-4">
      {failed?.kind === 'more' && (
        <p role="alert" className="text-bad">
          {loadErrorText(failed.error)}
        </p>
      )}
      <CommandButton
        command={more}
        label={loading === 'more' ? 'Loading…' : failed?.kind === 'more' ? 'Retry' : more.title}
        primary={failed?.kind === 'more'}
      />
      <p className="text-ink3 tabular-nums">
        {formatNumber(rows.length)} of {formatNumber(count)}
      </p>
    </div>
  )
}
