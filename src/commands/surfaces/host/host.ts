/** The world in which commands run: asks through the palette, the panel and dialogs, reports by toasts. */
import { deviceIn } from '../../../domain/routes.ts'
import { layout, setPanel } from '../../../store/layout.ts'
import { selections } from '../../../store/selection.ts'
import { askQuestion } from '../../../store/overlays.ts'
import { currentContext } from '../../core/context.ts'
import { focusWhenPresent } from '../../../ui/focus/focusWhenPresent.ts'
import { takesFile } from '../../core/takesFile.ts'
import { changesTargets, errorMessages } from '../../core/execution/execute.ts'
import type { Host } from '../../core/execution/host.ts'
import { undoText } from '../../jobs/undo.ts'
import { askPages } from '../palette/argumentPrompt.ts'
import { askPreview } from '../dialogs/previewPrompt.ts'
import { quickRun } from './quickRun.ts'
import type { RunEnvironment } from './environment.ts'
import { toastBlocked, toastError, toastOutcome } from '../toasts/toasts.tsx'

let navigate: (path: string, how?: { replace: boolean }) => void = () => undefined
/** The router's own navigation, handed over when it is mounted. */
export function setNavigate(next: typeof navigate): void {
  navigate = next
}

/** What had the focus goes away with its screen: a key pressed before the next screen has it is meant for that one. */
const go: RunEnvironment['go'] = (path, how) => {
  const { activeElement } = document
  const leaves = new URL(path, window.location.href).pathname !== window.location.pathname
  if (leaves && activeElement instanceof HTMLElement && activeElement.closest('main, aside')) activeElement.blur()
  navigate(path, how)
}

/** A file cannot be typed: its form in the panel is shown instead, and runs the command itself. */
function showFileForm(): undefined {
  layout.panelTab = 'create'
  setPanel(true)
  focusWhenPresent('[data-file-input]')
}

export const host: Host = {
  context: currentContext,
  async targets(command, context) {
    if (!command.entity) return []
    const targets = context.targets(command.entity)
    const follows = selections[command.entity].query !== undefined && deviceIn(context.path) === undefined
    // What matches now is what it changes.
    return follows && (changesTargets(command) || command.delegates)
      ? (await import('./materializeSelection.ts')).materializeWithProgress(command.entity)
      : targets
  },
  ask: (command, context, start) =>
    takesFile(command) ? Promise.resolve(showFileForm()) : askPages({ command, context, start }),
  confirm: (question, command) => askQuestion({ ...question, command: command.id, undo: undoText(command) }),
  dryRun: async (order, ids, watch) => (await import('./dryRunWithProgress.ts')).dryRunWithProgress(order, ids, watch),
  preview: askPreview,
  begin(command, of) {
    const around: RunEnvironment = { go, targets: host.targets }
    const quick = command.endpoint === undefined && command.doing === undefined
    return quick
      ? quickRun(command, of, around)
      : import('./runs.ts').then(({ beginRun }) => beginRun(command, of, around))
  },
  blocked: toastBlocked,
  finished: toastOutcome,
  failed(error) {
    for (const message of errorMessages(error)) toastError(message)
  },
}
