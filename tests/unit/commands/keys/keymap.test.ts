import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  chordOf,
  createMatcher,
  keycaps,
  sequenceTimeout,
  type KeyPress,
} from '../../../../src/commands/keys/keymap.ts'

const press = (key: string, more: Partial<KeyPress> = {}): KeyPress => ({
  key,
  code: '',
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  ...more,
})
const onPc = (key: string, more?: Partial<KeyPress>) => chordOf(press(key, more), false)

describe('chords', () => {
  test('letters, signs and named keys', () => {
    expect(onPc('f')).toBe('f')
    expect(onPc('F', { shiftKey: true })).toBe('shift+f')
    expect(onPc('ArrowDown', { shiftKey: true })).toBe('shift+ArrowDown')
    expect(onPc(' ')).toBe('Space')
    // Shift is how the sign is typed, on some layouts only.
    expect(onPc('?', { shiftKey: true })).toBe('?')
    expect(onPc('@', { shiftKey: true })).toBe('@')
    // With caps lock on, a letter is still that letter.
    expect(onPc('F')).toBe('f')
  })

  test('mod is Ctrl here and ⌘ on Apple; the other one is not', () => {
    expect(onPc('k', { ctrlKey: true })).toBe('mod+k')
    expect(onPc('k', { metaKey: true })).toBe('meta+k')
    expect(chordOf(press('k', { metaKey: true }), true)).toBe('mod+k')
    expect(chordOf(press('k', { ctrlKey: true }), true)).toBe('ctrl+k')
    expect(onPc('A', { ctrlKey: true, shiftKey: true })).toBe('mod+shift+a')
  })

  test('a sign typed with AltGr is that sign, whatever else the browser says is held', () => {
    const altGr = { getModifierState: () => true }
    for (const [key, code] of [
      ['[', 'Digit8'],
      [']', 'Digit9'],
      ['@', 'KeyQ'],
      ['\\', 'Minus'],
    ] as const)
      for (const held of [{}, { ctrlKey: true, altKey: true }, { altKey: true }, { shiftKey: true }])
        expect(onPc(key, { ...altGr, ...held, code })).toBe(key)
    expect(onPc('?', { ...altGr, shiftKey: true })).toBe('?')
    // Letters of the third level, its digits and what is not on every keyboard are text and nothing else.
    for (const key of ['ą', 'q', '²', '3', '€', 'ArrowDown'])
      expect(onPc(key, { ...altGr, code: 'KeyE' })).toBeUndefined()
    expect(onPc('AltGraph')).toBeUndefined()
  })

  test('without AltGr, Ctrl and Alt are held', () =>
    expect(onPc('@', { ctrlKey: true, altKey: true, code: 'KeyQ' })).toBe('mod+alt+@'))

  test('on Apple a sign typed with Alt is that sign, and what is no sign is the key with Alt', () => {
    const onApple = (key: string, code: string, more: Partial<KeyPress> = {}) =>
      chordOf(press(key, { altKey: true, code, ...more }), true)
    expect(onApple('[', 'Digit5')).toBe('[')
    expect(onApple('\\', 'Digit7', { shiftKey: true })).toBe('\\')
    expect(onApple('ƒ', 'KeyF')).toBe('alt+f')
    expect(onApple('“', 'BracketLeft')).toBe('alt+[')
    expect(onApple('ArrowLeft', 'ArrowLeft')).toBe('alt+ArrowLeft')
    expect(onApple('[', 'Digit5', { metaKey: true })).toBe('mod+alt+[')
    expect(onPc('[', { altKey: true })).toBe('alt+[')
  })

  test('a lone modifier, a dead key or an unfinished composition is none', () => {
    for (const key of ['Shift', 'Control', 'Alt', 'Meta', 'CapsLock', 'Dead', 'Process', 'Unidentified'])
      expect(onPc(key)).toBeUndefined()
  })

  test('on layouts without Latin letters a key is what is printed beside it', () => {
    expect(onPc('а', { code: 'KeyF' })).toBe('f')
    expect(onPc('А', { code: 'KeyF', shiftKey: true })).toBe('shift+f')
    expect(onPc('л', { code: 'KeyK', ctrlKey: true })).toBe('mod+k')
    expect(onPc('ω', { code: 'KeyV' })).toBe('v')
    expect(onPc('х', { code: 'BracketLeft' })).toBe('[')
    expect(onPc('ю', { code: 'Period' })).toBe('.')
    // But a Latin layout is believed: what stands on the key counts, not where the key is.
    expect(onPc('q', { code: 'KeyA' })).toBe('q')
  })
})

describe('sequences', () => {
  const bindings = [
    { keys: 'f', target: 'flush' },
    { keys: 'g d', target: 'devices' },
    { keys: 'g c', target: 'charts' },
    { keys: 'mod+k', target: 'palette' },
  ]
  const typed = (...chords: string[]) => {
    const matcher = createMatcher(bindings)
    return chords.map((chord, at) => matcher.press(chord, at * 100))
  }

  test('match when whole and wait while they are not', () => {
    expect(typed('g', 'd')).toEqual([
      { targets: [], pending: ['g'] },
      { targets: ['devices'], pending: [] },
    ])
    expect(typed('mod+k')).toEqual([{ targets: ['palette'], pending: [] }])
  })

  test('a mismatch starts anew with the key that did not fit', () => {
    expect(typed('g', 'f').at(-1)).toEqual({ targets: ['flush'], pending: [] })
    expect(typed('g', 'g', 'c').at(-1)).toEqual({ targets: ['charts'], pending: [] })
    expect(typed('g', 'z', 'd').at(-1)).toEqual({ targets: [], pending: [] })
  })

  test('after a while they are forgotten', () => {
    const matcher = createMatcher(bindings)
    matcher.press('g', 0)
    expect(matcher.press('d', sequenceTimeout + 1).targets).toEqual([])
    matcher.press('g', 2 * sequenceTimeout)
    expect(matcher.press('d', 3 * sequenceTimeout).targets).toEqual(['devices'])
  })

  test('and when told so', () => {
    const matcher = createMatcher(bindings)
    matcher.press('g', 0)
    matcher.reset()
    expect(matcher.press('d', 1).targets).toEqual([])
  })

  test('go on where commands arrive between two keys', () => {
    const matcher = createMatcher(bindings)
    matcher.press('g', 0)
    matcher.bind([...bindings, { keys: 'g q', target: 'logout' }])
    expect(matcher.press('q', 1).targets).toEqual(['logout'])
  })

  test('law: whatever was typed before, a pause and a whole sequence give its command', () => {
    const chord = fc.constantFrom('f', 'g', 'd', 'c', 'z', 'mod+k', 'Escape')
    fc.assert(
      fc.property(fc.array(chord), fc.constantFrom(...bindings), (before, { keys, target }) => {
        const matcher = createMatcher(bindings)
        before.forEach((one, at) => matcher.press(one, at))
        const results = keys.split(' ').map((one, at) => matcher.press(one, 10_000 + at))
        expect(results.at(-1)).toEqual({ targets: [target], pending: [] })
        expect(results.slice(0, -1).every(({ targets }) => targets.length === 0)).toBe(true)
      }),
    )
  })

  test('law: what is pending is always the beginning of some sequence', () => {
    const chord = fc.constantFrom('f', 'g', 'd', 'c', 'z')
    fc.assert(
      fc.property(fc.array(fc.tuple(chord, fc.nat(1500))), presses => {
        const matcher = createMatcher(bindings)
        let now = 0
        for (const [one, wait] of presses) {
          now += wait
          const { pending, targets } = matcher.press(one, now)
          if (pending.length > 0) {
            expect(targets).toEqual([])
            expect(bindings.some(({ keys }) => keys.startsWith(`${pending.join(' ')} `))).toBe(true)
          }
        }
      }),
    )
  })
})

test('keycaps read as on the keyboard', () => {
  expect(keycaps('g d', false)).toEqual(['g', 'd'])
  expect(keycaps('mod+k', true)).toEqual(['⌘k'])
  expect(keycaps('mod+shift+a', false)).toEqual(['Ctrl ⇧a'])
  expect(keycaps('shift+ArrowDown', false)).toEqual(['⇧↓'])
})

test('shift is part of a digit that is typed with it; digits and their signs are found where they are printed', () => {
  expect(onPc('1', { shiftKey: true, code: 'Digit1' })).toBe('1')
  expect(onPc('۳', { code: 'Digit3' })).toBe('3')
  expect(onPc('№', { shiftKey: true, code: 'Digit3' })).toBe('#')
})
