import type { ReactNode } from 'react'
import { Navigate, Route, Routes } from 'react-router-dom'
import { homeOf, routes, type Route as RouteData } from '../domain/routes.ts'
import { useRole } from '../store/session.ts'
import { DeviceScreen } from '../screens/devices/DeviceScreen.tsx'
import { DevicesScreen } from '../screens/devices/DevicesScreen.tsx'
import { LoginScreen } from '../screens/login/LoginScreen.tsx'
import { NotFoundScreen } from '../screens/plain/NotFoundScreen.tsx'
import { UnbuiltScreen } from '../screens/plain/UnbuiltScreen.tsx'
import { SettingsScreen } from '../screens/settings/SettingsScreen.tsx'

const built: Readonly<Record<string, ReactNode>> = {
  [routes.devices.path]: <DevicesScreen />,
  [routes.settings.path]: <SettingsScreen />,
}

/** The route table of the specification's section 2, with its guards. */
export function Screens() {
  return (
    <Routes>
      <Route path="/" element={<OnlySignedOut element={<LoginScreen />} />} />
      <Route path="/login" element={<OnlySignedOut element={<LoginScreen />} />} />
      <Route path="/forgot" element={<OnlySignedOut element={<UnbuiltScreen title="Forgot password" />} />} />
      {Object.values<RouteData>(routes).map(route => (
        <Route
          key={route.path}
          path={route.path}
          element={<OnlyFor route={route} element={built[route.path] ?? <UnbuiltScreen title={route.title} />} />}
        />
      ))}
      <Route path="/devices/:bssid" element={<OnlyFor route={routes.devices} element={<DeviceScreen />} />} />
      <Route path="/email/confirm" element={<UnbuiltScreen title="Confirm email" />} />
      <Route path="/password/restore" element={<UnbuiltScreen title="Restore password" />} />
      <Route path="*" element={<NotFoundScreen />} />
    </Routes>
  )
}

function OnlySignedOut({ element }: { element: ReactNode }) {
  const role = useRole()
  return role ? <Navigate to={homeOf(role)} replace /> : element
}

function OnlyFor({ route, element }: { route: RouteData; element: ReactNode }) {
  const role = useRole()
  if (!role) return <Navigate to="/login" replace />
  return route.roles.includes(role) ? element : <Navigate to={homeOf(role)} replace />
}
