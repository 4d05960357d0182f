/** Prompts for the approval of a preview. Not in a proxy, because it holds a command and its targets. */
import { ref } from 'valtio'
import { overlay } from '../../../store/overlays.ts'
import { createPrompt, type OpenPrompt } from '../../../store/prompt.ts'
import type { DryRun } from '../../core/types.ts'
import type { Preview } from '../../core/execution/host.ts'

export type OpenPreview = OpenPrompt<Preview, DryRun>

/** Opens a preview; resolves with the approved plan. */
export const previewPrompt = createPrompt<Preview, DryRun>({
  show: ({ answer }, number) => void (overlay.preview = { number, close: ref(() => answer(undefined)) }),
  hide: () => void (overlay.preview = undefined),
})
