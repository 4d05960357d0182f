/**
 * Keys to commands: chords (`mod+k`, `shift+x`, `?`) and sequences of them (`g d`). Pure: the caller brings events
 * and time. What begins a sequence waits a while for its end; what does not match starts anew.
 */
import { isApple } from '../../store/platform.ts'

/** Milliseconds within which a sequence must go on: long enough to read what may follow. */
export const sequenceTimeout = 4000

export interface KeyPress {
  readonly key: string
  readonly code: string
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly altKey: boolean
  readonly shiftKey: boolean
  /** Tells of AltGr, which is neither Ctrl nor Alt. */
  getModifierState?(modifier: 'AltGraph'): boolean
}

/** Signs that keys may be bound to: neither letters nor digits. */
const sign = /^[!-/:-@[-`{-~]$/

/** Whether a third level of the keyboard types it: AltGr's, or that of Alt on Apple. */
const onThirdLevel = (press: KeyPress, apple: boolean): boolean =>
  press.getModifierState?.('AltGraph') === true || (apple && press.altKey && !press.metaKey && !press.ctrlKey)

/** What US keys type where the layout types no Latin letters, so that the keys stay where they are printed. */
const latin: Readonly<Record<string, readonly [plain: string, shifted: string]>> = {
  Slash: ['/', '?'],
  Backslash: ['\\', '|'],
  BracketLeft: ['[', '{'],
  BracketRight: [']', '}'],
  Period: ['.', '>'],
  Comma: [',', '<'],
}

/**
 * The chord of a key press, written as in command definitions; undefined for a lone modifier. `apple`: mod is ⌘.
 * A sign that a layout types with AltGr (`[` on German ones) is that sign; all else that AltGr types is only text.
 */
export function chordOf(press: KeyPress, apple: boolean): string | undefined {
  if (
    ['Control', 'Shift', 'Alt', 'Meta', 'AltGraph', 'CapsLock', 'Dead', 'Unidentified', 'Process'].includes(press.key)
  )
    return undefined
  if (sign.test(press.key) && onThirdLevel(press, apple)) return press.key
  if (press.getModifierState?.('AltGraph')) return undefined
  const key = keyOf(press)
  const mod = apple ? press.metaKey : press.ctrlKey
  const other = apple ? press.ctrlKey : press.metaKey
  // Shift is part of what a sign is (`?`), and of a digit on some layouts, but not of a letter or a named key.
  const shift = press.shiftKey && (key.length > 1 || /[a-z]/.test(key))
  return [mod && 'mod', other && (apple ? 'ctrl' : 'meta'), press.altKey && 'alt', shift && 'shift', key]
    .filter(Boolean)
    .join('+')
}

function keyOf({ key, code, shiftKey }: KeyPress): string {
  if (key.length > 1) return key
  if (key.charCodeAt(0) < 128) return key === ' ' ? 'Space' : key.toLowerCase()
  const letter = /^Key([A-Z])$/.exec(code)?.[1]
  const digit = /^Digit(\d)$/.exec(code)?.[1]
  if (digit !== undefined) return shiftKey ? ')!@#$%^&*('.charAt(Number(digit)) : digit
  return letter?.toLowerCase() ?? latin[code]?.[shiftKey ? 1 : 0] ?? key
}

export interface Binding<Target> {
  readonly keys: string
  readonly target: Target
}
export interface Match<Target> {
  /** What the keys so far mean, when they mean something whole; several where it depends on the screen. */
  readonly targets: readonly Target[]
  /** The keys so far, when more may follow. */
  readonly pending: readonly string[]
}

/** Feeds chords one by one to the bindings; at each press only those count whose target means something `here`. */
export function createMatcher<Target>(bindings: readonly Binding<Target>[]) {
  const split = (given: readonly Binding<Target>[]) =>
    given.map(({ keys, target }) => ({ chords: keys.split(' '), target }))
  let sequences = split(bindings)
  let typed: string[] = []
  let last = 0

  const match = (chords: readonly string[], here: (target: Target) => boolean) =>
    sequences.filter(
      sequence => chords.every((chord, index) => sequence.chords[index] === chord) && here(sequence.target),
    )

  return {
    press(chord: string, now: number, here: (target: Target) => boolean = everywhere): Match<Target> {
      if (now - last > sequenceTimeout) typed = []
      last = now
      typed.push(chord)
      let found = match(typed, here)
      if (found.length === 0 && typed.length > 1) {
        typed = [chord]
        found = match(typed, here)
      }
      const whole = found.filter(sequence => sequence.chords.length === typed.length)
      if (whole.length > 0 || found.length === 0) typed = []
      return { targets: whole.map(sequence => sequence.target), pending: [...typed] }
    },
    /** Whether the chord goes on with what has been typed; where nothing has, whether it means or begins something. */
    knows(chord: string, now: number, here: (target: Target) => boolean = everywhere): boolean {
      return match([...(now - last > sequenceTimeout ? [] : typed), chord], here).length > 0
    },
    reset(): void {
      typed = []
    },
    /** Goes by other bindings from now on; what has been typed of a sequence stays typed. */
    bind(others: readonly Binding<Target>[]): void {
      sequences = split(others)
    },
  }
}

const everywhere = () => true

const glyphs: Readonly<Record<string, string>> = {
  shift: '⇧',
  ArrowDown: '↓',
  ArrowUp: '↑',
  ArrowLeft: '←',
  ArrowRight: '→',
  Backspace: '⌫',
  Delete: 'Del',
  Escape: 'Esc',
  Enter: '↵',
  Space: 'Space',
  PageDown: 'PgDn',
  PageUp: 'PgUp',
}

/** The keycaps of `keys` as a person reads them: `mod+shift+a` → ⌘ ⇧ A or Ctrl ⇧ A; a sequence is one cap after another. */
export function keycaps(keys: string, apple: boolean): readonly string[] {
  return keys.split(' ').map(chord =>
    chord
      .split(/\+(?=.)/)
      .map(part => (part === 'mod' ? (apple ? '⌘' : 'Ctrl ') : (glyphs[part] ?? part)))
      .join(''),
  )
}

/** The same for assistive technology, which knows no sequences. */
export const ariaKeys = (keys: string | undefined): string | undefined =>
  keys?.includes(' ') ? undefined : keys?.replace('mod', isApple() ? 'Meta' : 'Control')
