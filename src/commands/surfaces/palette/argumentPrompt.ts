/** Prompts for a command's arguments in the palette. Not in a proxy, because it holds a command and its targets. */
import { ref } from 'valtio'
import { overlay } from '../../../store/overlays.ts'
import { createPrompt } from '../../../store/prompt.ts'
import type { Command } from '../../core/types.ts'
import type { Context } from '../../core/context.ts'
import type { InitialArguments } from '../../core/execution/host.ts'

export interface ArgumentRequest {
  readonly command: Command
  /** The context with the targets that the command will act on. */
  readonly context: Context
  readonly start: InitialArguments | undefined
}

/** Opens the palette's argument pages; resolves with the command's input. */
export const argumentPrompt = createPrompt<ArgumentRequest, unknown>({
  show({ answer }, number) {
    const previous = overlay.palette
    overlay.palette = {
      query: previous?.query ?? '',
      prompt: { number, direct: previous === undefined, answer: ref(answer) },
    }
  },
  hide() {
    if (overlay.palette) overlay.palette.prompt = undefined
  },
})
