import { useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { subscribe } from 'valtio/vanilla'
import { afterFrame } from '../../../store/timing/afterFrame.ts'
import { overlay } from '../../../store/overlays.ts'

const typedText = (): string => overlay.palette?.query ?? ''

/**
 * Returns the text whose results the palette shows: what was typed, a frame later, so that a letter is painted without
 * waiting for the results. `catchUp` shows the results of all that was typed at once; a key that acts on them needs that.
 */
export function useSearchedText(): readonly [text: string, catchUp: () => void] {
  const [text, setText] = useState(typedText)
  useEffect(() => subscribe(overlay, () => afterFrame(() => setText(typedText()))), [])
  return [text, () => flushSync(() => setText(typedText()))]
}
