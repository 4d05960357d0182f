/** The world in which commands run: asks through the palette, the panel and dialogs, reports by toasts. */
import { call } from '../../api/client.ts'
import { BulkAnswer } from '../../api/contract/endpoint.ts'
import { layout, setPanel } from '../../store/layout.ts'
import { askArguments, askQuestion } from '../../store/overlays.ts'
import { saveFile } from '../../ui/saveFile.ts'
import { forEachId, inChunks } from '../bulk.ts'
import { currentContext } from '../context.ts'
import { takesFile } from '../fields.ts'
import { errorMessages, type Given, type Host } from '../execute.ts'
import { run } from './run.ts'
import { toastBlocked, toastError, toastOutcome, toastProgress, type ShownProgress } from './toasts.tsx'

let navigate: (path: string, how?: { replace: boolean }) => void = () => undefined
/** The router's own navigation, handed over when it is mounted. */
export function setNavigate(next: typeof navigate): void {
  navigate = next
}

/** A file cannot be typed: its form in the panel is shown instead, and runs the command itself. */
function showFileForm(): undefined {
  layout.panelTab = 'create'
  setPanel(true)
  focusWhenThere('[data-file-input]')
}

/** The panel may still have to be loaded; two seconds later a person is elsewhere. */
function focusWhenThere(selector: string, frames = 120): void {
  requestAnimationFrame(() => {
    const found = document.querySelector<HTMLElement>(selector)
    if (found) found.focus()
    else if (frames > 0) focusWhenThere(selector, frames - 1)
  })
}

export const host: Host = {
  context: currentContext,
  ask: command => (takesFile(command) ? Promise.resolve(showFileForm()) : askArguments(command.id)),
  confirm: askQuestion,
  services(command) {
    const progress = toastProgress(command.doing ?? command.title)
    return { services: servicesWith(progress), ended: progress.end }
  },
  blocked: toastBlocked,
  finished: toastOutcome,
  failed(error) {
    for (const message of errorMessages(error)) toastError(message)
  },
}

/** Calls on many tell how far they are while they go on. */
const followedBy =
  (progress: ShownProgress): typeof call =>
  (endpoint, input) =>
    call(endpoint, (endpoint.answer as unknown) === BulkAnswer ? { ...input, ended: progress.meanwhile } : input)

const servicesWith = (progress: ShownProgress) => ({
  call: followedBy(progress),
  progress,
  inChunks: (ids: readonly string[], send: Parameters<typeof inChunks>[2]) => inChunks(ids, progress, send),
  forEach: (ids: readonly string[], send: (id: string) => Promise<unknown>) => forEachId(ids, progress, send),
  go: (path: string, how?: { replace: boolean }) => navigate(path, how),
  save: (name: string, file: Blob) => saveFile(name, file, file.type),
  async again(id: string, input: unknown, targets?: Given['targets']) {
    await run(id, { input, ...(targets && { targets }) })
  },
})
