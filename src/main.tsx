import '@fontsource-variable/inter/index.css'
import '@fontsource-variable/jetbrains-mono/index.css'
import './ui/theme.css'
import { askEarly, queryOf } from './api/readList.ts'
import { routes } from './domain/routes.ts'
import { lists } from './store/lists.ts'
import { signedInRole } from './store/session.ts'

// The first rows are on their way while the console is still being loaded and put together.
if (signedInRole() && window.location.pathname === routes.devices.path) askEarly('devices', queryOf(lists.devices))
void import('./app.tsx')
