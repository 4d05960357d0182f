import { Suspense } from 'react'
import { useSnapshot } from 'valtio'
import { commandOf } from '../commands/core/registry.ts'
import { CommandKeys } from '../commands/surfaces/buttons/CommandButton.tsx'
import { SurfaceButtons } from '../commands/surfaces/buttons/SurfaceButtons.tsx'
import { run } from '../commands/surfaces/run/run.ts'
import { Icon } from '../commands/surfaces/buttons/Icon.tsx'
import { lazyComponent, lazyAfterRows } from '../commands/surfaces/run/lazyComponent.ts'
import { connection, type Liveness } from '../store/connection.ts'
import { preferences } from '../store/preferences.ts'
import { session, useRole } from '../store/session.ts'
import { afterConnection } from './afterConnection.ts'
import { receivesUpdates } from './useLiveUpdates.ts'
import { titleOf } from './usePageTitle.ts'

const JobsBadge = lazyComponent(
  () => afterConnection().then(() => import('./JobsBadge.tsx')),
  module => module.JobsBadge,
)

const AccountMenu = lazyAfterRows(
  () => import('../commands/surfaces/buttons/menus.tsx'),
  module => module.AccountMenu,
)

/** The top bar: navigation toggle, title, palette button, jobs, connection, theme, settings and account. */
export function TopBar({ pathname }: { pathname: string }) {
  const { theme } = useSnapshot(preferences)
  const { login } = useSnapshot(session)
  const role = useRole()
  const isLive = receivesUpdates(role)
  return (
    <header className="flex items-center gap-2 border-b border-line bg-panel px-2.5 sm:gap-3 sm:px-3.5">
      <SurfaceButtons on="topBarStart" iconOnly />
      {/* A small screen has room for one of the two. */}
      <b className="hidden text-sm font-semibold tracking-tight md:block">Permeate</b>
      <span className="truncate text-ink3 max-md:text-sm max-md:font-semibold max-md:text-ink">
        <span className="max-md:hidden">/ </span>
        {titleOf(pathname)}
      </span>
      <button
        type="button"
        data-command="view.palette"
        className="palette-button"
        onClick={() => void run('view.palette')}
      >
        <Icon name="search" />
        <span className="truncate max-sm:sr-only">{isLive ? 'Search devices or run commands' : 'Run commands'}</span>
        <span className="btn-keys">
          <CommandKeys command={commandOf('view.palette')} />
        </span>
      </button>
      <Suspense fallback={null}>
        <JobsBadge />
      </Suspense>
      <Connection isLive={isLive} />
      <SurfaceButtons
        on="topBarEnd"
        iconOnly
        overrides={{
          'view.theme': theme === 'light' ? { label: 'Dark theme', icon: 'moon' } : { label: 'Light theme' },
        }}
      />
      {/* In the account menu, too, so a small screen can do without them. */}
      <span className="hidden sm:contents">
        <SurfaceButtons on="topBarLinks" iconOnly />
      </span>
      <Suspense fallback={<AccountName login={login} />}>
        <AccountMenu login={login}>
          <AccountName login={login} />
        </AccountMenu>
      </Suspense>
    </header>
  )
}

const liveness: Record<Liveness, { text: string; title: string; dot: string }> = {
  stream: { text: 'live', title: 'Changes appear as they happen', dot: 'bg-ok' },
  polling: {
    text: 'polling',
    title: 'Live updates are unavailable. Lists refresh every 15 s',
    dot: 'bg-ink3',
  },
  offline: { text: 'offline, trying again', title: 'The server cannot be reached. Trying again', dot: 'bg-bad' },
}

/** Without live updates, such as for a superadmin, only that the server cannot be reached is worth showing. */
function Connection({ isLive }: { isLive: boolean }) {
  const { live } = useSnapshot(connection)
  const { text, title, dot } = liveness[live]
  if (!isLive && live !== 'offline') return null
  return (
    <span role="status" className="flex items-center gap-1.5 text-[12px] whitespace-nowrap text-ink2" title={title}>
      <span className={`size-[7px] rounded-full ${dot}`} />
      <span className={live === 'offline' ? '' : 'hidden lg:inline'}>{text}</span>
    </span>
  )
}

function AccountName({ login }: { login: string | null }) {
  return (
    <span className="flex items-center gap-2">
      {/* A picture made of letters, so it is no part of the account's name. */}
      <span
        data-initials={login?.slice(0, 2) ?? '?'}
        className="grid size-[26px] place-items-center rounded-full bg-accent-soft text-[11px] font-semibold text-accent uppercase before:content-[attr(data-initials)]"
      />
      <span className="hidden max-w-28 truncate sm:block">{login}</span>
    </span>
  )
}
