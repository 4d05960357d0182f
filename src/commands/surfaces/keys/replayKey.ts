/** A press that was held, given to what is there by then as if it came only now. Loaded when first needed. */
import { chordOf } from '../../keys/keymap.ts'
import { isApple } from '../../../store/platform.ts'

/** The same press once more. */
export function copyOf(event: KeyboardEvent): KeyboardEvent {
  const { key, code, ctrlKey, metaKey, altKey, shiftKey } = event
  const modifierAltGraph = event.getModifierState('AltGraph')
  const init = { key, code, ctrlKey, metaKey, altKey, shiftKey, modifierAltGraph, bubbles: true, cancelable: true }
  return new KeyboardEvent('keydown', init)
}

/** Types a character into a field, or takes one back; false where that is not what the key does there. */
export function typeInto(field: Element, event: KeyboardEvent): boolean {
  if (!(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) || field.readOnly) return false
  const { selectionStart: from, selectionEnd: to } = field
  if (from === null || to === null || /^(mod|ctrl|meta|alt)\+/.test(chordOf(event, isApple()) ?? '')) return false
  if (event.key.length === 1) field.setRangeText(event.key, from, to, 'end')
  else if (event.key === 'Backspace' && field.value !== '')
    field.setRangeText('', from === to ? Math.max(0, from - 1) : from, to, 'end')
  else return false
  field.dispatchEvent(new InputEvent('input', { bubbles: true }))
  return true
}
