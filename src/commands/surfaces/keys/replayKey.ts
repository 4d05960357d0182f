/** Replays a buffered key press. Loaded when first needed. */
import { chordOf, isModified } from '../../keys/keymap.ts'
import { isApple } from '../../../store/platform.ts'

/** Returns a keydown event with the same key and modifiers, which can be dispatched again. */
export function cloneKeydown(event: KeyboardEvent): KeyboardEvent {
  const { key, code, ctrlKey, metaKey, altKey, shiftKey } = event
  const modifierAltGraph = event.getModifierState('AltGraph')
  const init = { key, code, ctrlKey, metaKey, altKey, shiftKey, modifierAltGraph, bubbles: true, cancelable: true }
  return new KeyboardEvent('keydown', init)
}

/** Applies a character key or Backspace to a text field; returns false for other keys and elements. */
export function typeInto(field: Element, event: KeyboardEvent): boolean {
  if (!(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) || field.readOnly) return false
  const { selectionStart: from, selectionEnd: to } = field
  if (from === null || to === null || isModified(chordOf(event, isApple()) ?? '')) return false
  if (event.key.length === 1) field.setRangeText(event.key, from, to, 'end')
  else if (event.key === 'Backspace' && field.value !== '')
    field.setRangeText('', from === to ? Math.max(0, from - 1) : from, to, 'end')
  else return false
  field.dispatchEvent(new InputEvent('input', { bubbles: true }))
  return true
}

/** Submits the form of the open confirmation. The form distinguishes it from a key press by the missing submitter. */
export const replayEnter = (): void =>
  document.querySelector<HTMLFormElement>('[role=alertdialog] form')?.requestSubmit()
