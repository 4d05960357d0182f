import { useSnapshot } from 'valtio'
import { Icon } from '../commands/surfaces/buttons/Icon.tsx'
import { bufferedText } from '../commands/surfaces/keys/keyBuffer.ts'
import { closePalette } from '../store/overlays.ts'
import { dialogLayout } from '../ui/dialogLayout.ts'

/** What shows of the palette while its code loads: the text typed for it, which the key buffer enters once it is there. */
export function PaletteFrame() {
  const { text } = useSnapshot(bufferedText)
  return (
    <div className={dialogLayout.root}>
      <button
        type="button"
        data-command="view.palette"
        aria-label="Close the palette"
        className={dialogLayout.backdrop}
        onClick={closePalette}
      />
      <div className={`${dialogLayout.page} ${dialogLayout.top} pointer-events-none`}>
        <div data-buffered-text className={`${dialogLayout.panel} pointer-events-auto w-[640px]`}>
          <div className="flex h-[50px] items-center gap-2.5 border-b border-line px-4 text-[15px]">
            <Icon name="search" />
            <span className="h-5 border-r border-ink pr-px leading-5 whitespace-pre">{text}</span>
          </div>
          <p role="status" className="px-4 py-3 text-ink2">
            Loading the commands…
          </p>
        </div>
      </div>
    </div>
  )
}
