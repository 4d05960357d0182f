import { useEffect, useState, type KeyboardEvent, type RefObject } from 'react'
import { commandOf } from '../../core/registry.ts'
import { keysOf } from '../../keys/bindings.ts'
import { chordOf, keycaps } from '../../keys/keymap.ts'
import { isApple } from '../../../store/platform.ts'
import type { Hint } from './PaletteFoot.tsx'
import { stepRow } from './useActiveRow.ts'

/** The keys of one page of the palette: its own, copying a link to it, and moving from row to row. */
export function usePaletteKeys(page: {
  root: RefObject<HTMLElement | null>
  /** What a link is copied to; a change of it forgets that one was copied. */
  subject: string
  /** Resolves with whether a link was copied; absent where there is nothing to copy one to. */
  copyLink: (() => Promise<boolean>) | undefined
  /** Returns what a key does on this page alone. */
  actionOf: (event: KeyboardEvent, chord: string | undefined) => (() => void) | undefined
  onMove: (value: string) => void
}) {
  const { root, subject, copyLink, actionOf, onMove } = page
  const [copied, setCopied] = useState(false)
  useEffect(() => setCopied(false), [subject])
  const linkKeys = keysOf(commandOf('link.copy'))
  const copy = () => void copyLink?.().then(setCopied)

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    const chord = chordOf(event.nativeEvent, isApple())
    const act = actionOf(event, chord) ?? (chord !== undefined && linkKeys.includes(chord) ? copy : undefined)
    if (!act) return stepRow(event, root.current, onMove)
    event.preventDefault()
    event.stopPropagation()
    act()
  }
  const linkHint: Hint = {
    caps: linkKeys[0] === undefined ? [] : keycaps(linkKeys[0], isApple()),
    does: copied ? 'link copied' : 'copy link',
    command: 'link.copy',
    act: copy,
  }
  return { copied, linkHint, onKeyDown }
}
