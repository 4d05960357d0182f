import '@fontsource-variable/inter/index.css'
import '@fontsource-variable/jetbrains-mono/index.css'
import './ui/theme.css'
import { createRoot } from 'react-dom/client'
import { askAhead, queryOf } from './api/hooks.ts'
import { host } from './commands/surfaces/host.ts'
import { setHost } from './commands/surfaces/run.ts'
import { App } from './shell/App.tsx'
import { routes } from './domain/routes.ts'
import { lists } from './store/lists.ts'
import { restoreSelections } from './store/selection.ts'
import { signedInRole } from './store/session.ts'

setHost(host)
// On its way while the console is still being put together.
if (signedInRole() && window.location.pathname === routes.devices.path) askAhead('devices', queryOf(lists.devices))
void restoreSelections()
const root = document.getElementById('root')
if (!root) throw new Error('The page has no #root')
createRoot(root).render(<App />)
