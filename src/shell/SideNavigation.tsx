import { Suspense } from 'react'
import { commandsOn } from '../commands/core/registry.ts'
import type { Command } from '../commands/core/types.ts'
import { CommandKeys } from '../commands/surfaces/buttons/CommandButton.tsx'
import { runCommand } from '../commands/surfaces/run/run.ts'
import { Icon } from '../commands/surfaces/buttons/Icon.tsx'
import { lazyComponent } from '../commands/surfaces/run/lazyComponent.ts'
import { sections, type Route } from '../domain/lists/route.ts'
import { routes, screenAt } from '../domain/lists/routes.ts'
import { navigationWidth, setNav } from '../store/layout.ts'
import { useSelection } from '../store/selection.ts'
import { useRole } from '../store/session.ts'
import { afterConnection } from './afterConnection.ts'
import { NavigationBadge } from './NavigationBadge.tsx'

const UnseenBadge = lazyComponent(
  () => afterConnection().then(() => import('./UnseenBadge.tsx')),
  module => module.UnseenBadge,
)

/** The maximum count that the badge shows (specification, section 9). */
const badgeCap = 999

/** The screens that the role may see, with their key sequences. Collapsed, only their icons. */
export function SideNavigation({ pathname, open, isOverlay }: { pathname: string; open: boolean; isOverlay: boolean }) {
  const role = useRole()
  const listed = commandsOn('navigation').filter(
    command => role && (routeOf(command).listedFor ?? command.roles).includes(role),
  )
  return (
    <nav
      aria-label="Main"
      style={{ width: navigationWidth[open ? 'open' : 'collapsed'] }}
      className={`nav ${isOverlay ? 'nav-overlay' : ''}`}
    >
      {sections.map(section => {
        const entries = listed.filter(command => routeOf(command).section === section)
        if (entries.length === 0) return null
        return (
          <div key={section} role="group" aria-label={section} className="grid grid-cols-[minmax(0,1fr)] gap-px">
            {section !== 'Fleet' &&
              (open ? <h2 className="nav-heading">{section}</h2> : <hr className="mx-2 my-2 border-line" />)}
            {entries.map(command => (
              <Entry
                key={command.id}
                command={command}
                current={isWithin(pathname, routeOf(command).path)}
                open={open}
                onGo={() => isOverlay && setNav(false)}
              />
            ))}
          </div>
        )
      })}
    </nav>
  )
}

const routesById: Readonly<Record<string, Route>> = routes
/** Returns the route to which a command of the navigation leads. */
const routeOf = ({ id }: Command): Route => routesById[id.slice('go.'.length)]!

/** Whether a path belongs to an entry: the path of its screen, or one below it without an entry of its own, as a device's. */
const isWithin = (pathname: string, path: string): boolean =>
  pathname === path || (pathname.startsWith(`${path}/`) && (screenAt(pathname) ?? 'device') === 'device')

interface EntryProps {
  command: Command
  current: boolean
  open: boolean
  onGo: () => void
}

function Entry({ command, current, open, onGo }: EntryProps) {
  const { path, title, subtitle, icon } = routeOf(command)
  return (
    <a
      href={path}
      data-command={command.id}
      aria-current={current ? 'page' : undefined}
      title={open ? undefined : title}
      className="nav-entry"
      onClick={event => {
        // With a modifier the browser opens another tab, as links do.
        if (event.metaKey || event.ctrlKey || event.shiftKey) return
        event.preventDefault()
        onGo()
        void runCommand(command)
      }}
    >
      <Icon name={icon} />
      {open ? (
        <span className="min-w-0 flex-1">
          {title}
          {subtitle && <small className="block text-[11px] leading-tight text-ink3">{subtitle}</small>}
        </span>
      ) : (
        <span className="sr-only">{title}</span>
      )}
      {command.id === 'go.devices' && <SelectedBadge small={!open} />}
      {command.id === 'go.notifications' && (
        <Suspense fallback={null}>
          <UnseenBadge small={!open} />
        </Suspense>
      )}
      {open && <CommandKeys command={command} />}
    </a>
  )
}

/** The number of selected devices, at most `999+`. */
function SelectedBadge({ small }: { small: boolean }) {
  const { size } = useSelection('devices')
  if (size === 0) return <span className="sr-only">No devices selected</span>
  const title = `Devices selected: ${size}`
  return (
    <NavigationBadge
      number={size > badgeCap ? `${badgeCap}+` : String(size)}
      rest={`, ${title}`}
      title={title}
      small={small}
    />
  )
}
