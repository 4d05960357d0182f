import './commands/initialCommands.ts'
import { createRoot } from 'react-dom/client'
import type { Device } from './api/contract/devices.ts'
import type { List, ListQuery } from './api/contract/endpoint.ts'
import { onModuleLoadError } from './api/errors.ts'
import { cachePage } from './api/hooks.ts'
import { deferExecutor } from './commands/surfaces/run/run.ts'
import { App } from './shell/App.tsx'
import { reportFailure } from './shell/reportFailure.ts'
import { restoreSelections } from './store/selection.ts'
import { changeSelection } from './commands/core/runs/selectionChanges.ts'

/** A page of the devices list that was read before the first render. */
export interface FirstPage {
  readonly query: ListQuery
  readonly page: List<Device>
}

/** Renders the console, with the first rows if they are there already. */
export function start(rows: FirstPage | undefined): void {
  if (rows) cachePage('devices', rows.query, rows.page)
  window.addEventListener('vite:preloadError', onModuleLoadError)
  deferExecutor(async () => (await import('./commands/surfaces/host/host.ts')).executor, reportFailure)
  // Commands wait for the stored selection. If the storage does not answer, it counts as a failed change.
  void changeSelection(restoreSelections, isRestored => isRestored)
  const root = document.getElementById('root')
  if (!root) throw new Error('The page has no #root')
  createRoot(root).render(<App />)
}
