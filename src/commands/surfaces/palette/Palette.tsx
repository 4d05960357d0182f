import { useEffect, useRef, useState } from 'react'
import { useSnapshot } from 'valtio'
import { closePalette, overlay } from '../../../store/overlays.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { ArgumentPages } from './ArgumentPages.tsx'
import { argumentPrompt } from './argumentPrompt.ts'
import { PaletteRoot } from './PaletteRoot.tsx'

/** ⌘K: commands and devices by a few letters, and the arguments of a command page by page. */
export function Palette() {
  const { palette } = useSnapshot(overlay)
  if (!palette) return null
  return <OpenPalette asked={palette.asked?.number} />
}

function OpenPalette({ asked }: { asked: number | undefined }) {
  const [query, setQuery] = useState(overlay.palette?.query ?? '')
  const input = useRef<HTMLInputElement>(null)
  const previous = useRef(asked)
  // What was looked for before the arguments were asked comes back, selected, when one goes back.
  useEffect(() => {
    if (previous.current !== undefined && asked === undefined) input.current?.select()
    previous.current = asked
  }, [asked])

  const backToRoot = () => {
    const waiting = overlay.palette?.asked
    if (waiting?.direct) return closePalette()
    overlay.palette = { query, asked: undefined }
    waiting?.answer(undefined)
  }
  const pages = asked === undefined ? undefined : argumentPrompt.current()

  return (
    <Dialog
      title="Commands"
      showTitle={false}
      top
      command="view.palette"
      className="w-[640px] overflow-hidden"
      onClose={closePalette}
    >
      {pages ? (
        <ArgumentPages key={asked} asked={pages} onBack={backToRoot} />
      ) : (
        <PaletteRoot
          query={query}
          input={input}
          onQuery={text => {
            setQuery(text)
            if (overlay.palette) overlay.palette.query = text
          }}
        />
      )}
    </Dialog>
  )
}
