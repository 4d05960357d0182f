import { useSnapshot } from 'valtio'
import { overlay } from '../../../store/overlays.ts'
import { recording } from '../../../store/scripts/recording.ts'
import { scripts } from '../../../store/scripts/scripts.ts'
import { ScriptEditor } from './ScriptEditor.tsx'
import { ScriptPreviewDialog } from './ScriptPreviewDialog.tsx'
import { scriptPreviewPrompt } from './scriptPreviewPrompt.ts'

/** Renders the open script dialog: the editor or a preview. */
export function ScriptDialogs() {
  const { scripts: open } = useSnapshot(overlay)
  const { list } = useSnapshot(scripts)
  const { steps } = useSnapshot(recording)
  if (open?.view === 'edit' && open.id === undefined)
    return steps ? <ScriptEditor key="recording" saved={undefined} steps={steps} /> : null
  if (open?.view === 'edit') {
    const saved = list.find(({ id }) => id === open.id)
    return saved ? <ScriptEditor key={saved.id} saved={saved} steps={saved.steps} /> : null
  }
  const preview = open && scriptPreviewPrompt.current()
  return preview ? <ScriptPreviewDialog key={open.serial} preview={preview} /> : null
}
