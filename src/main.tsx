import '@fontsource-variable/inter/index.css'
import '@fontsource-variable/jetbrains-mono/index.css'
import './ui/theme.css'
// First, because it removes a command link's parameters from the URL before other modules read it.
import './store/pendingLink.ts'
import { requestEarly, queryOf } from './api/readList.ts'
import { mayOpen, screenAt } from './domain/lists/routes.ts'
import type { Role } from './domain/roles.ts'
import { lists } from './store/lists.ts'
import { signedInRole } from './store/session.ts'

const { pathname, search } = window.location

/** Requests the first rows of the devices list while the console is still loading. */
async function prefetchRows(role: Role): Promise<void> {
  if (screenAt(pathname) !== 'devices' || !mayOpen(role, 'devices')) return
  const list = search ? (await import('./shell/address/lists.ts')).listFromQuery('devices', search) : lists.devices
  requestEarly('devices', queryOf(list))
}

/**
 * Applies the URL's parameters before the first render. After a reload also without a query, which then means the defaults.
 */
async function applyAddress(): Promise<void> {
  if (search || window.history.state) (await import('./shell/address/address.ts')).applyAddress()
}

const role = signedInRole()
void Promise.all([import('./app.tsx'), ...(role ? [prefetchRows(role), applyAddress()] : [])]).then(([{ start }]) =>
  start(),
)
