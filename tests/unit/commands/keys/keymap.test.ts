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
  test('are letters, signs and named keys', () => {
    expect(onPc('f')).toBe('f')
    expect(onPc('F', { shiftKey: true })).toBe('shift+f')
    expect(onPc('ArrowDown', { shiftKey: true })).toBe('shift+ArrowDown')
    expect(onPc(' ')).toBe('Space')
    // Some layouts type the sign with Shift, which is not part of the chord.
    expect(onPc('?', { shiftKey: true })).toBe('?')
    expect(onPc('@', { shiftKey: true })).toBe('@')
    // With caps lock on, a letter is still that letter.
    expect(onPc('F')).toBe('f')
  })

  test('have mod for Ctrl on PCs and for ⌘ on Apple', () => {
    expect(onPc('k', { ctrlKey: true })).toBe('mod+k')
    expect(onPc('k', { metaKey: true })).toBe('meta+k')
    expect(chordOf(press('k', { metaKey: true }), true)).toBe('mod+k')
    expect(chordOf(press('k', { ctrlKey: true }), true)).toBe('ctrl+k')
    expect(onPc('A', { ctrlKey: true, shiftKey: true })).toBe('mod+shift+a')
  })

  test('are the sign typed with AltGr, whatever other modifiers the browser reports', () => {
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
    // Letters and digits typed with AltGr, and signs that some keyboards lack, are only text.
    for (const key of ['ą', 'q', '²', '3', '€', 'ArrowDown'])
      expect(onPc(key, { ...altGr, code: 'KeyE' })).toBeUndefined()
    expect(onPc('AltGraph')).toBeUndefined()
  })

  test('have Ctrl and Alt if AltGr is not pressed', () =>
    expect(onPc('@', { ctrlKey: true, altKey: true, code: 'KeyQ' })).toBe('mod+alt+@'))

  test('on Apple are the sign typed with Alt, or else the key with Alt', () => {
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

  test('exclude lone modifiers, dead keys and unfinished compositions', () => {
    for (const key of ['Shift', 'Control', 'Alt', 'Meta', 'CapsLock', 'Dead', 'Process', 'Unidentified'])
      expect(onPc(key)).toBeUndefined()
  })

  test('are the Latin key at the same place on layouts without Latin letters', () => {
    expect(onPc('а', { code: 'KeyF' })).toBe('f')
    expect(onPc('А', { code: 'KeyF', shiftKey: true })).toBe('shift+f')
    expect(onPc('л', { code: 'KeyK', ctrlKey: true })).toBe('mod+k')
    expect(onPc('ω', { code: 'KeyV' })).toBe('v')
    expect(onPc('х', { code: 'BracketLeft' })).toBe('[')
    expect(onPc('ю', { code: 'Period' })).toBe('.')
    // On a Latin layout the label of the key counts, and not its place.
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
  const pressAll = (...chords: string[]) => {
    const matcher = createMatcher(bindings)
    return chords.map((chord, at) => matcher.press(chord, at * 100))
  }

  test('match when complete and are pending until then', () => {
    expect(pressAll('g', 'd')).toEqual([
      { targets: [], pending: ['g'] },
      { targets: ['devices'], pending: [] },
    ])
    expect(pressAll('mod+k')).toEqual([{ targets: ['palette'], pending: [] }])
  })

  test('start again with the key that did not match', () => {
    expect(pressAll('g', 'f').at(-1)).toEqual({ targets: ['flush'], pending: [] })
    expect(pressAll('g', 'g', 'c').at(-1)).toEqual({ targets: ['charts'], pending: [] })
    expect(pressAll('g', 'z', 'd').at(-1)).toEqual({ targets: [], pending: [] })
  })

  test('are dropped after a timeout', () => {
    const matcher = createMatcher(bindings)
    matcher.press('g', 0)
    expect(matcher.press('d', sequenceTimeout + 1).targets).toEqual([])
    matcher.press('g', 2 * sequenceTimeout)
    expect(matcher.press('d', 3 * sequenceTimeout).targets).toEqual(['devices'])
  })

  test('are dropped on reset', () => {
    const matcher = createMatcher(bindings)
    matcher.press('g', 0)
    matcher.reset()
    expect(matcher.press('d', 1).targets).toEqual([])
  })

  test('continue if commands are registered between two keys', () => {
    const matcher = createMatcher(bindings)
    matcher.press('g', 0)
    matcher.bind([...bindings, { keys: 'g q', target: 'logout' }])
    expect(matcher.press('q', 1).targets).toEqual(['logout'])
  })

  test('law: match after a pause, whatever was typed before', () => {
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

  test('law: pending keys are always the beginning of a sequence', () => {
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

test('keycaps are labelled as on the keyboard', () => {
  expect(keycaps('g d', false)).toEqual(['g', 'd'])
  expect(keycaps('mod+k', true)).toEqual(['⌘k'])
  expect(keycaps('mod+shift+a', false)).toEqual(['Ctrl ⇧a'])
  expect(keycaps('shift+ArrowDown', false)).toEqual(['⇧↓'])
})

test('digits typed with Shift or on another layout are recognized by the place of their key', () => {
  expect(onPc('1', { shiftKey: true, code: 'Digit1' })).toBe('1')
  expect(onPc('۳', { code: 'Digit3' })).toBe('3')
  expect(onPc('№', { shiftKey: true, code: 'Digit3' })).toBe('#')
})
