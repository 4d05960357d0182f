/** What a key press means on a screen, and what is left to the browser. */
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Hotkeys } from '../../../../../src/commands/surfaces/keys/Hotkeys.tsx'
import * as running from '../../../../../src/commands/surfaces/run/run.ts'
import { clearSession, setSession } from '../../../../../src/store/session.ts'

const ran: string[] = []
beforeEach(() => {
  ran.length = 0
  vi.spyOn(running, 'runCommand').mockImplementation(({ id }) => {
    ran.push(id)
    return Promise.resolve({ is: 'stopped' })
  })
  setSession({ accessToken: 'a', refreshToken: 'r', userId: '1', userRole: 'admin', login: 'admin' })
})
afterEach(() => {
  cleanup()
  clearSession()
})

/** Presses a key at a path; whether the browser may do with it what it does by itself. */
function leftToBrowser(path: string, press: KeyboardEventInit, on: Element = document.body): boolean {
  window.history.replaceState(null, '', path)
  return fireEvent.keyDown(on, { bubbles: true, cancelable: true, ...press })
}

const scrolling = ['ArrowUp', 'ArrowDown', 'PageUp', 'PageDown', 'Home', 'End', ' '].map(key => ({ key, code: key }))

test.each(['/devices/FE:E2:00:00:00:01', '/profile', '/devices/%'])(
  'without a list, on %s, keys of lists are the browser’s',
  path => {
    render(<Hotkeys />)
    const others = [
      { key: 'a', code: 'KeyA', ctrlKey: true },
      { key: '/', code: 'Slash' },
    ]
    for (const press of [...scrolling, ...others]) expect(leftToBrowser(path, press), press.key).toBe(true)
    expect(ran).toEqual([])
  },
)

test('where nothing is listed the page scrolls, and other keys say why they do nothing', () => {
  render(<Hotkeys />)
  for (const press of scrolling) expect(leftToBrowser('/devices', press), press.key).toBe(true)
  expect(ran).toEqual([])
  expect(leftToBrowser('/devices', { key: 'j', code: 'KeyJ' })).toBe(false)
  expect(leftToBrowser('/devices', { key: '/', code: 'Slash' })).toBe(false)
  expect(ran).toEqual(['list.down', 'list.focusSearch'])
})

test('signs that a layout types with AltGr are keys, but text where text is typed', () => {
  render(
    <>
      <Hotkeys />
      <input aria-label="Text" />
    </>,
  )
  const sign = { key: '@', code: 'KeyQ', modifierAltGraph: true }
  expect(leftToBrowser('/devices', sign, screen.getByRole('textbox'))).toBe(true)
  expect(ran).toEqual([])
  expect(leftToBrowser('/devices', sign)).toBe(false)
  expect(leftToBrowser('/devices', { key: 'ą', code: 'KeyA', modifierAltGraph: true })).toBe(true)
  expect(ran).toEqual(['device.find'])
})
