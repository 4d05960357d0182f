/**
 * Matches key presses to bindings: chords (`mod+k`, `shift+x`, `?`) and sequences of chords (`g d`). Pure: the caller
 * passes the events and the time. A started sequence waits for its next chord until a timeout; a chord that does not
 * continue it starts a new one.
 */
import { isApple } from '../../store/platform.ts'

/** The time in milliseconds for the next chord of a sequence: long enough to read the possible continuations. */
export const sequenceTimeout = 4000

/** The properties of a keyboard event that chords are read from. */
export interface KeyPress {
  readonly key: string
  readonly code: string
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly altKey: boolean
  readonly shiftKey: boolean
  /** Reports AltGr, which is neither Ctrl nor Alt. */
  getModifierState?(modifier: 'AltGraph'): boolean
}

/** The ASCII characters that are neither letters nor digits. */
const symbol = /^[!-/:-@[-`{-~]$/

/** Whether the third level of the keyboard types the key: with AltGr, or with Alt on Apple. */
const isTypedWithAltGr = (press: KeyPress, apple: boolean): boolean =>
  press.getModifierState?.('AltGraph') === true || (apple && press.altKey && !press.metaKey && !press.ctrlKey)

/** Whether a chord has a modifier with which its key types no text. */
export const isModified = (chord: string): boolean => /^(mod|ctrl|meta|alt)\+/.test(chord)

/** The symbols of a US keyboard, for layouts without Latin letters, so that keys stay at their printed positions. */
const usSymbols: Readonly<Record<string, readonly [plain: string, shifted: string]>> = {
  Slash: ['/', '?'],
  Backslash: ['\\', '|'],
  BracketLeft: ['[', '{'],
  BracketRight: [']', '}'],
  Period: ['.', '>'],
  Comma: [',', '<'],
}

/**
 * Returns the chord of a key press, as in command definitions; undefined for a modifier alone. With `apple`, mod is ⌘.
 * A symbol typed with AltGr (`[` on German layouts) is a chord; any other character typed with AltGr is only text.
 */
export function chordOf(press: KeyPress, apple: boolean): string | undefined {
  if (
    ['Control', 'Shift', 'Alt', 'Meta', 'AltGraph', 'CapsLock', 'Dead', 'Unidentified', 'Process'].includes(press.key)
  )
    return undefined
  if (symbol.test(press.key) && isTypedWithAltGr(press, apple)) return press.key
  if (press.getModifierState?.('AltGraph')) return undefined
  const key = keyOf(press)
  const mod = apple ? press.metaKey : press.ctrlKey
  const other = apple ? press.ctrlKey : press.metaKey
  // Shift is already in the character of a symbol (`?`), and on some layouts of a digit, but not of letters and named
  // keys.
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
  return letter?.toLowerCase() ?? usSymbols[code]?.[shiftKey ? 1 : 0] ?? key
}

export interface Binding<Target> {
  readonly keys: string
  readonly target: Target
}
export interface Match<Target> {
  /** The targets of the complete sequence; several if it depends on the screen. */
  readonly targets: readonly Target[]
  /** The chords so far, if a binding continues them. */
  readonly pending: readonly string[]
}

/**
 * Returns a matcher that receives chords one by one. Each call considers only the bindings whose target `isBound`
 * accepts.
 */
export function createMatcher<Target>(bindings: readonly Binding<Target>[]) {
  const split = (all: readonly Binding<Target>[]) =>
    all.map(({ keys, target }) => ({ chords: keys.split(' '), target }))
  let sequences = split(bindings)
  let typedChords: string[] = []
  let last = 0

  const match = (chords: readonly string[], isBound: (target: Target) => boolean) =>
    sequences.filter(
      sequence => chords.every((chord, index) => sequence.chords[index] === chord) && isBound(sequence.target),
    )

  return {
    press(chord: string, now: number, isBound: (target: Target) => boolean = always): Match<Target> {
      if (now - last > sequenceTimeout) typedChords = []
      last = now
      typedChords.push(chord)
      let found = match(typedChords, isBound)
      if (found.length === 0 && typedChords.length > 1) {
        typedChords = [chord]
        found = match(typedChords, isBound)
      }
      const whole = found.filter(sequence => sequence.chords.length === typedChords.length)
      if (whole.length > 0 || found.length === 0) typedChords = []
      return { targets: whole.map(sequence => sequence.target), pending: [...typedChords] }
    },
    /** Whether the chord continues the typed sequence or, if there is none, is or starts a binding. */
    accepts(chord: string, now: number, isBound: (target: Target) => boolean = always): boolean {
      return match([...(now - last > sequenceTimeout ? [] : typedChords), chord], isBound).length > 0
    },
    reset(): void {
      typedChords = []
    },
    /** Replaces the bindings; the typed part of a sequence is kept. */
    bind(next: readonly Binding<Target>[]): void {
      sequences = split(next)
    },
  }
}

const always = () => true

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

/** Returns the keycaps of `keys` for display, one for each chord: `mod+shift+a` is ⌘⇧a or Ctrl ⇧a. */
export function keycaps(keys: string, apple: boolean): readonly string[] {
  return keys.split(' ').map(chord =>
    chord
      .split(/\+(?=.)/)
      .map(part => (part === 'mod' ? (apple ? '⌘' : 'Ctrl ') : (glyphs[part] ?? part)))
      .join(''),
  )
}

/** Returns the keys for `aria-keyshortcuts`, which does not support sequences. */
export const ariaKeys = (keys: string | undefined): string | undefined =>
  keys?.includes(' ') ? undefined : keys?.replace('mod', isApple() ? 'Meta' : 'Control')
