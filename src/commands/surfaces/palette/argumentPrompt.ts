/** The command whose arguments the palette asks for. Not in a proxy, because it holds a command and its targets. */
import { askArguments } from '../../../store/overlays.ts'
import type { Command } from '../../core/types.ts'
import type { Context } from '../../core/context.ts'
import type { Start } from '../../core/execution/host.ts'

export interface Asked {
  readonly command: Command
  /** With the targets that it will act on. */
  readonly context: Context
  readonly start: Start | undefined
}

let asked: Asked | undefined
let serial = 0

/** That whose number is in `overlay.palette.asked`. */
export const askedNow = (): Asked | undefined => asked

/** Opens the palette's pages; resolves with the arguments, or with undefined when the person backs out. */
export function askPages(next: Asked): Promise<unknown> {
  asked = next
  return askArguments(++serial)
}
