import { useEffect, useRef } from 'react'
import { useSnapshot } from 'valtio'
import { closePalette, overlay } from '../../../store/overlays.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { ArgumentPages } from './ArgumentPages.tsx'
import { argumentPrompt } from './argumentPrompt.ts'
import { PaletteRoot } from './PaletteRoot.tsx'

/** The command palette (⌘K): searches commands and devices, and prompts for a command's arguments page by page. */
export function Palette() {
  const { palette } = useSnapshot(overlay)
  if (!palette) return null
  return <OpenPalette promptNumber={palette.prompt?.number} />
}

function OpenPalette({ promptNumber }: { promptNumber: number | undefined }) {
  const input = useRef<HTMLInputElement>(null)
  const previous = useRef(promptNumber)
  // Back from the argument pages, selects the query, so that typing replaces it.
  useEffect(() => {
    if (previous.current !== undefined && promptNumber === undefined) input.current?.select()
    previous.current = promptNumber
  }, [promptNumber])

  const backToRoot = () => {
    const prompt = overlay.palette?.prompt
    if (prompt?.direct) return closePalette()
    overlay.palette = { query: overlay.palette?.query ?? '', prompt: undefined }
    prompt?.answer(undefined)
  }
  const request = promptNumber === undefined ? undefined : argumentPrompt.current()

  return (
    <Dialog
      title="Commands"
      showTitle={false}
      top
      command="view.palette"
      className="w-[640px] overflow-hidden"
      onClose={closePalette}
    >
      {request ? (
        <ArgumentPages key={promptNumber} request={request} onBack={backToRoot} />
      ) : (
        <PaletteRoot input={input} />
      )}
    </Dialog>
  )
}
