import '@fontsource-variable/inter/index.css'
import '@fontsource-variable/jetbrains-mono/index.css'
import './ui/theme.css'
// First, because it removes a command link's parameters from the URL before other modules read it.
import './store/pendingLink.ts'
import { requestEarly, queryOf } from './api/readList.ts'
import { routes } from './domain/lists/routes.ts'
import { lists } from './store/lists.ts'
import { signedInRole } from './store/session.ts'

const { pathname, search } = window.location

/** Requests the first rows of the devices list while the console is still loading. */
async function prefetchRows(): Promise<void> {
  if (pathname !== routes.devices.path) return
  const list = search ? (await import('./shell/address/lists.ts')).listFromQuery('devices', search) : lists.devices
  requestEarly('devices', queryOf(list))
}

/**
 * Applies the URL's parameters before the first render. After a reload also without a query, which then means the defaults.
 */
async function applyAddress(): Promise<void> {
  if (search || window.history.state) (await import('./shell/address/address.ts')).applyAddress()
}

void Promise.all([import('./app.tsx'), ...(signedInRole() ? [prefetchRows(), applyAddress()] : [])]).then(
  ([{ start }]) => start(),
)
