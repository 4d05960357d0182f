import { Suspense } from 'react'
import { commandOf } from '../commands/core/registry.ts'
import { CommandKeys } from '../commands/surfaces/buttons/CommandButton.tsx'
import { run } from '../commands/surfaces/run/run.ts'
import { Icon } from '../commands/surfaces/buttons/Icon.tsx'
import { lazyComponent } from '../commands/surfaces/run/lazyComponent.ts'
import { sections, type Route } from '../domain/lists/route.ts'
import { routes, type RouteId } from '../domain/lists/routes.ts'
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
  const listed = (Object.keys(routes) as RouteId[]).filter(id => {
    const route: Route = routes[id]
    return role !== undefined && (route.listedFor ?? route.roles).includes(role)
  })
  return (
    <nav
      aria-label="Main"
      style={{ width: navigationWidth[open ? 'open' : 'collapsed'] }}
      className={`flex shrink-0 flex-col gap-px overflow-y-auto border-r border-line bg-panel px-2 py-2.5 ${isOverlay ? 'fixed top-[46px] bottom-(--status-bar) left-0 z-30 shadow-(--shadow)' : ''}`}
    >
      {sections.map(section => {
        const ids = listed.filter(id => (routes[id] as Route).section === section)
        if (ids.length === 0) return null
        return (
          <div key={section} role="group" aria-label={section} className="grid grid-cols-[minmax(0,1fr)] gap-px">
            {section !== 'Fleet' &&
              (open ? (
                <h2 className="px-2 pt-3 pb-1 text-[10.5px] font-semibold tracking-wide text-ink3 uppercase">
                  {section}
                </h2>
              ) : (
                <hr className="mx-2 my-2 border-line" />
              ))}
            {ids.map(id => (
              <Entry
                key={id}
                id={id}
                current={isWithin(pathname, routes[id].path)}
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

/** Whether a path belongs to an entry: the path of its screen, or of one of its devices, but not of another entry. */
const isWithin = (pathname: string, path: string): boolean =>
  pathname === path || (pathname.startsWith(`${path}/`) && !paths.has(pathname))
const paths = new Set<string>(Object.values(routes).map(({ path }) => path))

function Entry({ id, current, open, onGo }: { id: RouteId; current: boolean; open: boolean; onGo: () => void }) {
  const { path, title, subtitle, icon }: Route = routes[id]
  return (
    <a
      href={path}
      data-command={`go.${id}`}
      aria-current={current ? 'page' : undefined}
      title={open ? undefined : title}
      className={`nav-entry ${current ? 'bg-accent-soft font-medium text-accent' : 'text-ink2 hover:bg-sunk hover:text-ink'}`}
      onClick={event => {
        // With a modifier the browser opens another tab, as links do.
        if (event.metaKey || event.ctrlKey || event.shiftKey) return
        event.preventDefault()
        onGo()
        void run(`go.${id}`)
      }}
    >
      <Icon name={icon} />
      {open && (
        <>
          <span className="min-w-0 flex-1">
            {title}
            {subtitle && <small className="block text-[11px] leading-tight text-ink3">{subtitle}</small>}
          </span>
          <EntryBadge id={id} />
        </>
      )}
      {!open && (
        <>
          <span className="sr-only">{title}</span>
          <EntryBadge id={id} small />
        </>
      )}
    </a>
  )
}

/** The badge and the keys of an entry. */
function EntryBadge({ id, small = false }: { id: RouteId; small?: boolean }) {
  if (id === 'devices') return <SelectedBadge small={small} />
  const keys = small ? null : <CommandKeys command={commandOf(`go.${id}`)} />
  if (id !== 'notifications') return keys
  return (
    <>
      <Suspense fallback={null}>
        <UnseenBadge small={small} />
      </Suspense>
      {keys}
    </>
  )
}

/** The number of selected devices, at most `999+`, and the key sequence. */
function SelectedBadge({ small }: { small: boolean }) {
  const { size } = useSelection('devices')
  return (
    <>
      {size === 0 ? (
        <span className="sr-only">No devices selected</span>
      ) : (
        <NavigationBadge
          number={size > badgeCap ? `${badgeCap}+` : String(size)}
          rest={`, Devices selected: ${size}`}
          title={`Devices selected: ${size}`}
          small={small}
        />
      )}
      {!small && <CommandKeys command={commandOf('go.devices')} />}
    </>
  )
}
