import './commands/initialCommands.ts'
import { createRoot } from 'react-dom/client'
import { onModuleLoadError } from './api/errors.ts'
import { host } from './commands/surfaces/host/host.ts'
import { setHost } from './commands/surfaces/run/run.ts'
import { App } from './shell/App.tsx'
import { restoreSelections } from './store/selection.ts'
import { changeSelection } from './commands/core/runs/selectionChanges.ts'

/** Renders the console. */
export function start(): void {
  window.addEventListener('vite:preloadError', onModuleLoadError)
  setHost(host)
  // Commands wait for the stored selection. If the storage does not answer, it counts as a failed change.
  void changeSelection(restoreSelections, isRestored => isRestored)
  const root = document.getElementById('root')
  if (!root) throw new Error('The page has no #root')
  createRoot(root).render(<App />)
}
