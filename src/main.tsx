import '@fontsource-variable/inter/index.css'
import '@fontsource-variable/jetbrains-mono/index.css'
import './ui/theme.css'
// Takes a link to a command out of the address: its parameters are no one else's.
import './store/pendingLink.ts'
import { askEarly, queryOf } from './api/readList.ts'
import { routes } from './domain/lists/routes.ts'
import { lists } from './store/lists.ts'
import { signedInRole } from './store/session.ts'

const { pathname, search } = window.location

/** The first rows are on their way while the console is still being loaded and put together. */
async function askForRows(): Promise<void> {
  if (pathname !== routes.devices.path) return
  const list = search ? (await import('./shell/address/lists.ts')).listAt('devices', search) : lists.devices
  askEarly('devices', queryOf(list))
}

/** Where the console has been before, the address says what to show, also without a query: then all is as by default. */
async function readAddress(): Promise<void> {
  if (search || window.history.state) (await import('./shell/address/address.ts')).readAddress()
}

void Promise.all([import('./app.tsx'), ...(signedInRole() ? [askForRows(), readAddress()] : [])]).then(([{ start }]) =>
  start(),
)
