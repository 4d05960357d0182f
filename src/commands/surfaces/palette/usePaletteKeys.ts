import { useEffect, useState, type KeyboardEvent, type RefObject } from 'react'
import { commandOf } from '../../core/registry.ts'
import { keysOf } from '../../keys/bindings.ts'
import { chordOf, keycaps } from '../../keys/keymap.ts'
import { isApple } from '../../../store/platform.ts'
import type { Hint } from './PaletteFoot.tsx'
import { moveByKey } from './rows/useActiveRow.ts'

/** Handles the keys of a page of the palette: the page's own keys, copying a link, and moving between rows. */
export function usePaletteKeys(page: {
  root: RefObject<HTMLElement | null>
  /** Identifies what a link would point to; a change hides the note “link copied”. */
  subject: string
  /** Resolves with whether a link was copied; undefined if there is nothing to link to. */
  copyLink: (() => Promise<boolean>) | undefined
  /** Returns the action of a key that is specific to this page. */
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
    if (!act) return moveByKey(event, root.current, onMove)
    event.preventDefault()
    event.stopPropagation()
    act()
  }
  const linkHint: Hint = {
    caps: linkKeys[0] === undefined ? [] : keycaps(linkKeys[0], isApple()),
    label: copied ? 'link copied' : 'copy link',
    command: 'link.copy',
    act: copy,
  }
  return { copied, linkHint, onKeyDown }
}
