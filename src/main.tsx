import '@fontsource-variable/inter/index.css'
import '@fontsource-variable/jetbrains-mono/index.css'
import './ui/theme.css'
import './ui/table/table.css'
// First, because it removes a command link's parameters from the URL before other modules read it.
import './store/pendingLink.ts'
import { requestEarly, queryOf } from './api/readList.ts'
import { mayOpen, screenAt } from './domain/lists/routes.ts'
import { sleep } from './domain/lib/retry.ts'
import type { Role } from './domain/roles.ts'
import { lists } from './store/lists.ts'
import { signedInRole } from './store/session.ts'
import type { FirstPage } from './app.tsx'

/** Milliseconds for which the first render waits for the rows once the code is there: rendering twice takes longer. */
const rowsTimeout = 60

const { pathname, search } = window.location

/** Requests the first rows of the devices list while the console is still loading, and resolves with them. */
async function prefetchRows(role: Role): Promise<FirstPage | undefined> {
  if (screenAt(pathname) !== 'devices' || !mayOpen(role, 'devices')) return undefined
  const list = search ? (await import('./shell/address/lists.ts')).listFromQuery('devices', search) : lists.devices
  const query = queryOf(list)
  const page = await requestEarly('devices', query)
  return page && { query, page }
}

/**
 * Applies the URL's parameters before the first render. After a reload also without a query, which then means the defaults.
 */
async function applyAddress(): Promise<void> {
  if (search || window.history.state) (await import('./shell/address/address.ts')).applyAddress()
}

const role = signedInRole()
const rows = role && prefetchRows(role)
void Promise.all([import('./app.tsx'), role && applyAddress()]).then(async ([{ start }]) =>
  start((await Promise.race([rows, sleep(rowsTimeout)])) ?? undefined),
)
