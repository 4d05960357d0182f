import { Suspense, useEffect, type ReactNode } from 'react'
import { Route, Routes, useLocation, useNavigate } from 'react-router-dom'
import { homeOf, routes, type Route as RouteData, type RouteId } from '../domain/routes.ts'
import { useRole } from '../store/session.ts'
import { DevicesScreen } from '../screens/devices/DevicesScreen.tsx'
import { NotFoundScreen } from '../screens/plain/NotFoundScreen.tsx'
import { lazily, lazilyWithCommands } from '../commands/surfaces/run/lazily.ts'

/** The devices list is in the initial bundle; other screens are loaded on demand. */
const ModelsScreen = lazilyWithCommands(
  () => import('../screens/models/ModelsScreen.tsx'),
  of => of.ModelsScreen,
)
const SystemsScreen = lazilyWithCommands(
  () => import('../screens/filtrationSystems/FiltrationSystemsScreen.tsx'),
  of => of.FiltrationSystemsScreen,
)
const GroupsScreen = lazilyWithCommands(
  () => import('../screens/groups/GroupsScreen.tsx'),
  of => of.GroupsScreen,
)
const CartridgesScreen = lazilyWithCommands(
  () => import('../screens/cartridgeTypes/CartridgeTypesScreen.tsx'),
  of => of.CartridgeTypesScreen,
)
const AdminsScreen = lazilyWithCommands(
  () => import('../screens/admins/AdminsScreen.tsx'),
  of => of.AdminsScreen,
)
const VendorsScreen = lazilyWithCommands(
  () => import('../screens/vendors/VendorsScreen.tsx'),
  of => of.VendorsScreen,
)
const UsersScreen = lazilyWithCommands(
  () => import('../screens/users/UsersScreen.tsx'),
  of => of.UsersScreen,
)
const HistoryScreen = lazilyWithCommands(
  () => import('../screens/history/HistoryScreen.tsx'),
  of => of.HistoryScreen,
)
const SettingsScreen = lazilyWithCommands(
  () => import('../screens/settings/SettingsScreen.tsx'),
  of => of.SettingsScreen,
)
const DeviceScreen = lazilyWithCommands(
  () => import('../screens/devices/DeviceScreen.tsx'),
  of => of.DeviceScreen,
)
const CalendarScreen = lazilyWithCommands(
  () => import('../screens/calendar/CalendarScreen.tsx'),
  of => of.CalendarScreen,
)
const ChartsScreen = lazilyWithCommands(
  () => import('../screens/charts/ChartsScreen.tsx'),
  of => of.ChartsScreen,
)
const JobsScreen = lazilyWithCommands(
  () => import('../screens/jobs/JobsScreen.tsx'),
  of => of.JobsScreen,
)
const NotificationsScreen = lazilyWithCommands(
  () => import('../screens/notifications/NotificationsScreen.tsx'),
  of => of.NotificationsScreen,
)
const ProfileScreen = lazilyWithCommands(
  () => import('../screens/profile/ProfileScreen.tsx'),
  of => of.ProfileScreen,
)
/** Preloaded, because signing out must work while the server is unreachable. */
export const loadLogin = () => import('../screens/login/LoginScreen.tsx')
const LoginScreen = lazily(loadLogin, of => of.LoginScreen)
const ForgotScreen = lazily(
  () => import('../screens/recovery/ForgotScreen.tsx'),
  of => of.ForgotScreen,
)
const RestoreScreen = lazily(
  () => import('../screens/recovery/RestoreScreen.tsx'),
  of => of.RestoreScreen,
)
const ConfirmScreen = lazily(
  () => import('../screens/recovery/ConfirmScreen.tsx'),
  of => of.ConfirmScreen,
)

const screens: Readonly<Record<RouteId, ReactNode>> = {
  devices: <DevicesScreen />,
  models: <ModelsScreen />,
  filtrationSystems: <SystemsScreen />,
  groups: <GroupsScreen />,
  cartridgeTypes: <CartridgesScreen />,
  admins: <AdminsScreen />,
  vendors: <VendorsScreen />,
  users: <UsersScreen />,
  calendar: <CalendarScreen />,
  charts: <ChartsScreen />,
  notifications: <NotificationsScreen />,
  audit: <HistoryScreen />,
  jobs: <JobsScreen />,
  settings: <SettingsScreen />,
  profile: <ProfileScreen />,
}

/** The route table of the specification's section 2, with its guards. */
export function Screens() {
  const { pathname } = useLocation()
  const role = useRole()
  return (
    // With a session the current screen stays while the next one loads. Without one, each path remounts, so that going
    // back to a guarded path redirects again.
    <Suspense key={role ? 'in' : pathname} fallback={null}>
      <Routes>
        <Route path="/" element={<OnlySignedOut element={<LoginScreen />} />} />
        <Route path="/login" element={<OnlySignedOut element={<LoginScreen />} />} />
        <Route path="/forgot" element={<OnlySignedOut element={<ForgotScreen />} />} />
        {(Object.keys(routes) as RouteId[]).map(id => (
          <Route key={id} path={routes[id].path} element={<OnlyFor route={routes[id]} element={screens[id]} />} />
        ))}
        <Route path="/devices/:bssid" element={<OnlyFor route={routes.devices} element={<DeviceScreen />} />} />
        <Route path="/email/confirm" element={<ConfirmScreen />} />
        <Route path="/password/restore" element={<RestoreScreen />} />
        <Route path="*" element={<NotFoundScreen />} />
      </Routes>
    </Suspense>
  )
}

function OnlySignedOut({ element }: { element: ReactNode }) {
  const role = useRole()
  return role ? <SentTo path={homeOf(role)} /> : element
}

function OnlyFor({ route, element }: { route: RouteData; element: ReactNode }) {
  const role = useRole()
  if (!role) return <SentTo path="/login" />
  return route.roles.includes(role) ? element : <SentTo path={homeOf(role)} />
}

/**
 * Like `<Navigate>`, but redirects again on `popstate`: going Back before the target has rendered would otherwise show
 * a blank page.
 */
function SentTo({ path }: { path: string }) {
  const navigate = useNavigate()
  const { pathname } = useLocation()
  useEffect(() => {
    const send = () => void navigate(path, { replace: true })
    const back = () => window.location.pathname === pathname && send()
    send()
    window.addEventListener('popstate', back)
    return () => window.removeEventListener('popstate', back)
  }, [navigate, pathname, path])
  return null
}
