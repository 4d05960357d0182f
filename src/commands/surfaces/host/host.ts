/** The page as the host of commands: prompts in the palette, the panel and dialogs, and reports by toasts. */
import { bssidInPath } from '../../../domain/lists/routes.ts'
import { layout, setPanel } from '../../../store/layout.ts'
import type { Entity } from '../../../store/lists.ts'
import { selections, type ListSearch } from '../../../store/selection.ts'
import { askQuestion } from '../../../store/overlays.ts'
import { currentContext, type Context } from '../../core/context.ts'
import { focusWhenPresent } from '../../../ui/focus/focusWhenPresent.ts'
import { takesFile } from '../../core/takesFile.ts'
import { changesTargets } from '../../core/changesTargets.ts'
import { execute } from '../../core/execution/execute.ts'
import type { Host } from '../../core/execution/host.ts'
import { describeSelection } from '../../selection/describe.ts'
import { undoText } from '../../jobs/undo.ts'
import { argumentPrompt } from '../palette/argumentPrompt.ts'
import { previewPrompt } from '../dialogs/previewPrompt.ts'
import { clearKeyBuffer } from '../keys/keyBuffer.ts'
import type { Executor } from '../run/run.ts'
import { quickRun } from './quickRun.ts'
import { toastBlocked, toastFailure, toastOutcome, toastWaiting } from '../toasts/toasts.tsx'

/** Opens the form for a command that takes a file, which the palette cannot prompt for. The form runs the command. */
function showFileForm(): undefined {
  layout.panelTab = 'create'
  setPanel(true)
  focusWhenPresent('[data-file-input]')
}

/** Returns the search that the selection of an entity follows; a device's screen has no selection. */
const followedSearch = (entity: Entity, { path }: Context): ListSearch | undefined =>
  bssidInPath(path) === undefined ? selections[entity].query : undefined

export const host: Host = {
  context: currentContext,
  async targets(command, context) {
    if (!command.entity) return []
    const targets = context.targets(command.entity)
    // A command that changes or reads its targets needs the current matches of a followed search.
    const needsMatches = changesTargets(command) || command.delegates || command.readsTargets
    return needsMatches && followedSearch(command.entity, context)
      ? (await import('./materializeSelection.ts')).materializeWithProgress(command.entity)
      : targets
  },
  searchOf: (command, context) =>
    command.entity && changesTargets(command) ? followedSearch(command.entity, context) : undefined,
  matches: async (entity, search) => (await import('./materializeSelection.ts')).matchesWithProgress(entity, search),
  sourceOf({ entity }, context) {
    if (!entity) return undefined
    if (entity === 'devices' && bssidInPath(context.path) !== undefined) return 'This device'
    // Without a selection, commands act on the focused row.
    return describeSelection(entity) || 'The focused row'
  },
  ask: (command, context, start) =>
    takesFile(command) ? Promise.resolve(showFileForm()) : argumentPrompt.ask({ command, context, start }),
  confirm: (question, command, source) =>
    askQuestion({ ...question, source, command: command.id, undo: undoText(command) }),
  dryRun: async (operation, ids, progress, policy) =>
    (await import('./dryRunWithProgress.ts')).dryRunWithProgress(operation, ids, progress, policy),
  preview: previewPrompt.ask,
  begin(command, details) {
    const isQuick = command.endpoint === undefined && command.progressTitle === undefined
    return isQuick
      ? quickRun(command, details, host.targets)
      : import('./runs.ts').then(({ beginRun }) => beginRun(command, details, host.targets))
  },
  blocked: toastBlocked,
  didNotRun(reason) {
    clearKeyBuffer()
    toastBlocked(reason)
  },
  waiting: toastWaiting,
  finished: toastOutcome,
  failed: toastFailure,
}

/** Runs commands on the page. */
export const executor: Executor = (command, options) => execute(host, command, options)
