/** Prompts for the approval of a script's preview. Not in a proxy, because it holds commands and their targets. */
import { overlay } from '../../../store/overlays.ts'
import { createPrompt, type OpenPrompt } from '../../../store/prompt.ts'
import type { DryRun } from '../../core/types.ts'
import type { ScriptPreview } from '../../scripts/scriptHost.ts'

export type OpenScriptPreview = OpenPrompt<ScriptPreview, readonly DryRun[]>

/** Opens a script's preview; resolves with the approved plans. */
export const scriptPreviewPrompt = createPrompt<ScriptPreview, readonly DryRun[]>({
  show: (_, serial) => void (overlay.scripts = { view: 'preview', serial }),
  hide: () => void (overlay.scripts = undefined),
})
