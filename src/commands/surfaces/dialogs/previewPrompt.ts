/** The preview that is open: what a command is about to do to which targets. */
import { ref } from 'valtio'
import { overlay } from '../../../store/overlays.ts'
import type { DryRun } from '../../core/types.ts'
import type { Preview } from '../../core/execution/host.ts'

export interface OpenPreview extends Preview {
  answer(plan: DryRun | undefined): void
}

let open: OpenPreview | undefined
let serial = 0

/** That whose number is in `overlay.preview`. Not in a proxy, because it holds a command and its targets. */
export const openPreview = (): OpenPreview | undefined => open

/** Shows it, and resolves with the plan that was agreed to; one already open is answered no. */
export function askPreview(asked: Preview): Promise<DryRun | undefined> {
  open?.answer(undefined)
  return new Promise(resolve => {
    const answer = (plan: DryRun | undefined) => {
      open = undefined
      overlay.preview = undefined
      resolve(plan)
    }
    open = { ...asked, answer }
    overlay.preview = { number: ++serial, close: ref(() => answer(undefined)) }
  })
}
