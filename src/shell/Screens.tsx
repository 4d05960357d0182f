import { Suspense, useState, type ReactNode } from 'react'
import { matchRoutes, useLocation, type NonIndexRouteObject, type Params } from 'react-router-dom'
import type { Route as RouteData } from '../domain/lists/route.ts'
import { homePath, routes, type RouteId } from '../domain/lists/routes.ts'
import { rowEntities, type RowEntity } from '../store/lists.ts'
import { useRole } from '../store/session.ts'
import { DevicesScreen } from '../screens/devices/DevicesScreen.tsx'
import { lazyComponent, lazyWithCommands } from '../commands/surfaces/run/lazyComponent.ts'
import { Redirect } from '../ui/Redirect.tsx'
import { pathAfterSignIn, requestedPage } from './requestedPage.ts'

/** Only the devices list is in the first load; the other screens are loaded on demand. */
const RowListScreen = lazyWithCommands(
  () => import('../screens/lists/RowListScreen.tsx'),
  module => module.RowListScreen<RowEntity>,
)
const SettingsScreen = lazyWithCommands(
  () => import('../screens/settings/SettingsScreen.tsx'),
  module => module.SettingsScreen,
)
const DeviceScreen = lazyWithCommands(
  () => import('../screens/devices/DeviceScreen.tsx'),
  module => module.DeviceScreen,
)
const CalendarScreen = lazyWithCommands(
  () => import('../screens/calendar/CalendarScreen.tsx'),
  module => module.CalendarScreen,
)
const ChartsScreen = lazyWithCommands(
  () => import('../screens/charts/ChartsScreen.tsx'),
  module => module.ChartsScreen,
)
const JobsScreen = lazyWithCommands(
  () => import('../screens/jobs/JobsScreen.tsx'),
  module => module.JobsScreen,
)
const ScriptsScreen = lazyWithCommands(
  () => import('../screens/scripts/ScriptsScreen.tsx'),
  module => module.ScriptsScreen,
)
const OverviewScreen = lazyWithCommands(
  () => import('../screens/overview/OverviewScreen.tsx'),
  module => module.OverviewScreen,
)
const NotificationsScreen = lazyWithCommands(
  () => import('../screens/notifications/NotificationsScreen.tsx'),
  module => module.NotificationsScreen,
)
const ProfileScreen = lazyWithCommands(
  () => import('../screens/profile/ProfileScreen.tsx'),
  module => module.ProfileScreen,
)
/** Preloaded, because signing out must work while the server is unreachable. */
export const loadLogin = () => import('../screens/login/LoginScreen.tsx')
const NotFoundScreen = lazyComponent(
  () => import('../screens/plain/NotFoundScreen.tsx'),
  module => module.NotFoundScreen,
)
const LoginScreen = lazyComponent(loadLogin, module => module.LoginScreen)
const ForgotScreen = lazyComponent(
  () => import('../screens/recovery/ForgotScreen.tsx'),
  module => module.ForgotScreen,
)
const RestoreScreen = lazyComponent(
  () => import('../screens/recovery/RestoreScreen.tsx'),
  module => module.RestoreScreen,
)
const ConfirmScreen = lazyComponent(
  () => import('../screens/recovery/ConfirmScreen.tsx'),
  module => module.ConfirmScreen,
)

const rowListScreens = Object.fromEntries(
  rowEntities.map(entity => [entity, <RowListScreen key={entity} entity={entity} />]),
) as Record<RowEntity, ReactNode>

const screens: Readonly<Record<RouteId, ReactNode>> = {
  devices: <DevicesScreen />,
  ...rowListScreens,
  calendar: <CalendarScreen />,
  charts: <ChartsScreen />,
  notifications: <NotificationsScreen />,
  overview: <OverviewScreen />,
  jobs: <JobsScreen />,
  scripts: <ScriptsScreen />,
  settings: <SettingsScreen />,
  profile: <ProfileScreen />,
}

interface ScreenRoute extends NonIndexRouteObject {
  readonly path: string
  readonly screen: (params: Params) => ReactNode
}

const signedOut = (path: string, element: ReactNode): ScreenRoute => ({
  path,
  screen: () => <RequireSignedOut element={element} />,
})

/** The route table of the specification's section 2, with its guards. */
const table: ScreenRoute[] = [
  signedOut('/', <LoginScreen />),
  signedOut('/login', <LoginScreen />),
  signedOut('/forgot', <ForgotScreen />),
  ...(Object.keys(routes) as RouteId[]).map(id => ({
    path: routes[id].path,
    screen: () => <RequireRole route={routes[id]} element={screens[id]} />,
  })),
  {
    path: '/devices/:bssid',
    screen: ({ bssid }) => <RequireRole route={routes.devices} element={<DeviceScreen address={bssid} />} />,
  },
  { path: '/email/confirm', screen: () => <ConfirmScreen /> },
  { path: '/password/restore', screen: () => <RestoreScreen /> },
]

/**
 * The screen at the current path. The router finds the route; its `<Routes>` would also load code for routes that read data
 * and for routes inside routes.
 */
export function Screens() {
  const { pathname } = useLocation()
  const role = useRole()
  const [match] = matchRoutes(table, pathname) ?? []
  return (
    // With a session the current screen stays while the next one loads. Without one, each path remounts, so that going
    // back to a guarded path redirects again.
    <Suspense key={role ? 'in' : pathname} fallback={null}>
      {match ? match.route.screen(match.params) : <NotFoundScreen />}
    </Suspense>
  )
}

function RequireSignedOut({ element }: { element: ReactNode }) {
  const role = useRole()
  const { state } = useLocation()
  return role ? <Redirect path={pathAfterSignIn(state) ?? homePath(role)} /> : element
}

function RedirectToLogin() {
  const [state] = useState(requestedPage)
  return <Redirect path="/login" state={state} />
}

/** Renders a route's screen; redirects accounts without the role, and to the login without a session. */
function RequireRole({ route, element }: { route: RouteData; element: ReactNode }) {
  const role = useRole()
  if (!role) return <RedirectToLogin />
  return route.roles.includes(role) ? element : <Redirect path={homePath(role)} />
}
