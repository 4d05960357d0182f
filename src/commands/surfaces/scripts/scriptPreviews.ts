/** The preview of a script that is open. */
import { overlay } from '../../../store/overlays.ts'
import type { DryRun } from '../../core/types.ts'
import type { ScriptPreview } from '../../scripts/scriptHost.ts'

export interface OpenScriptPreview extends ScriptPreview {
  answer(plans: readonly DryRun[] | undefined): void
}

let open: OpenScriptPreview | undefined
let serial = 0

/** Not in a proxy, because it holds commands and their targets. */
export const openScriptPreview = (): OpenScriptPreview | undefined => open

/** Shows it, and resolves with the plans that were agreed to; one already open is answered no. */
export function askScriptPreview(asked: ScriptPreview): Promise<readonly DryRun[] | undefined> {
  open?.answer(undefined)
  return new Promise(resolve => {
    const next: OpenScriptPreview = {
      ...asked,
      answer(plans) {
        // Answered once; by then another may be open.
        if (open !== next) return
        open = undefined
        overlay.scripts = undefined
        resolve(plans)
      },
    }
    open = next
    overlay.scripts = { view: 'preview', serial: ++serial }
  })
}
