import { useRef } from 'react'
import useSWR from 'swr'
import { call } from '../../api/client.ts'
import { ownSessions, type OwnSession } from '../../api/contract/ownSessions.ts'
import { pollInterval, type Key } from '../../api/hooks.ts'
import { SurfaceButtons } from '../../commands/surfaces/buttons/SurfaceButtons.tsx'
import { run } from '../../commands/surfaces/run/run.ts'
import { formatTimeAgo } from '../../domain/format.ts'
import { useFocusAfterRemoval } from '../../ui/focus/focusAfterRemoval.ts'
import { useNow } from '../../ui/useNow.ts'
import { ProfileSection, UnreadSection } from './ProfileSection.tsx'

/** The browsers and devices that are signed in to the account, each of which can be signed out. */
export function Sessions() {
  const { data, error } = useSWR([ownSessions.list.path, null] satisfies Key, () => call(ownSessions.list), {
    refreshInterval: pollInterval,
  })
  const section = useRef<HTMLElement>(null)
  useFocusAfterRemoval(section, 'button', 'sessions')
  if (!data) return <UnreadSection id="sessions" heading="Sessions" error={error} />
  return (
    <ProfileSection
      ref={section}
      id="sessions"
      heading="Sessions"
      intro={
        <>
          <p className="mt-0.5 text-ink2">
            These devices are signed in to your account. End any session that you do not recognize.
          </p>
          <ul className="mt-3 divide-y divide-line border-y border-line">
            {data.sessions.map(session => (
              <SessionRow key={session._id} session={session} />
            ))}
          </ul>
          {data.sessions.length > 1 && (
            <div className="mt-3">
              <SurfaceButtons on="sessions" />
            </div>
          )}
        </>
      }
    />
  )
}

function SessionRow({ session }: { session: OwnSession }) {
  const now = useNow()
  const { device, address, seen_at, current } = session
  const seen = current ? 'This session' : `Last seen ${formatTimeAgo(seen_at, now)}`
  return (
    <li className="flex items-center gap-3 py-2">
      <div className="min-w-0 flex-1">
        <p className="truncate font-medium">{device}</p>
        <p className="text-[12px] text-ink2">
          <span className={current ? 'font-medium text-ok' : ''}>{seen}</span>
          {address && ` · ${address}`}
        </p>
      </div>
      {!current && (
        <button
          type="button"
          data-command="sessions.end"
          aria-label={`End session of ${device}`}
          className="btn"
          onClick={() => void run('sessions.end', { input: { session: session._id } })}
        >
          End session
        </button>
      )}
    </li>
  )
}
