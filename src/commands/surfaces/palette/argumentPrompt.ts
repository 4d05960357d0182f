/** The command whose arguments the palette asks for. Not in a proxy, because it holds a command and its targets. */
import { ref } from 'valtio'
import { overlay } from '../../../store/overlays.ts'
import { createPrompt } from '../../../store/prompt.ts'
import type { Command } from '../../core/types.ts'
import type { Context } from '../../core/context.ts'
import type { Start } from '../../core/execution/host.ts'

export interface Asked {
  readonly command: Command
  /** With the targets that it will act on. */
  readonly context: Context
  readonly start: Start | undefined
}

/** The pages of the palette for a command's arguments; answered with these. */
export const argumentPrompt = createPrompt<Asked, unknown>({
  show({ answer }, number) {
    const before = overlay.palette
    overlay.palette = {
      query: before?.query ?? '',
      asked: { number, direct: before === undefined, answer: ref(answer) },
    }
  },
  hide() {
    if (overlay.palette) overlay.palette.asked = undefined
  },
})
