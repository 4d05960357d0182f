/** Which keys run commands on a screen, and which are left to the browser. */
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { unload, unstable_serialize } from 'swr'
import { cache } from '../../../../../src/api/cache.ts'
import { listKey } from '../../../../../src/api/hooks.ts'
import { queryOf } from '../../../../../src/api/readList.ts'
import { commandOf } from '../../../../../src/commands/core/registry.ts'
import { sequenceTimeout } from '../../../../../src/commands/keys/keymap.ts'
import { CommandForm } from '../../../../../src/commands/surfaces/forms/CommandForm.tsx'
import { Hotkeys, keySequence } from '../../../../../src/commands/surfaces/keys/Hotkeys.tsx'
import * as running from '../../../../../src/commands/surfaces/run/run.ts'
import { navIsOpen, setNav } from '../../../../../src/store/layout.ts'
import { lists } from '../../../../../src/store/lists.ts'
import { clearSession, setSession } from '../../../../../src/store/session.ts'
import { Panel } from '../../../../../src/ui/Panel.tsx'
import { fleetDevice } from '../../../support/fleet.ts'

const runs: string[] = []
beforeEach(() => {
  runs.length = 0
  vi.spyOn(running, 'runCommand').mockImplementation(({ id }) => {
    runs.push(id)
    return Promise.resolve({ is: 'stopped' })
  })
  setSession({ accessToken: 'a', refreshToken: 'r', userId: '1', userRole: 'admin', login: 'admin' })
})
afterEach(() => {
  cleanup()
  clearSession()
  unload({ revalidate: false })
})

/** Presses a key at a path, and returns whether the browser's default action is allowed. */
function leftToBrowser(path: string, press: KeyboardEventInit, on: Element = document.body): boolean {
  window.history.replaceState(null, '', path)
  return fireEvent.keyDown(on, { bubbles: true, cancelable: true, ...press })
}

const scrolling = ['ArrowUp', 'ArrowDown', 'PageUp', 'PageDown', 'Home', 'End', ' '].map(key => ({ key, code: key }))

test.each(['/devices/FE:E2:00:00:00:01', '/profile', '/devices/%'])(
  'on %s, which has no list, list keys are left to the browser',
  path => {
    render(<Hotkeys />)
    const others = [
      { key: 'a', code: 'KeyA', ctrlKey: true },
      { key: '/', code: 'Slash' },
    ]
    for (const press of [...scrolling, ...others]) expect(leftToBrowser(path, press), press.key).toBe(true)
    expect(runs).toEqual([])
  },
)

test('on an empty list scroll keys are left to the browser, and other list keys run their commands', () => {
  render(<Hotkeys />)
  for (const press of scrolling) expect(leftToBrowser('/devices', press), press.key).toBe(true)
  expect(runs).toEqual([])
  expect(leftToBrowser('/devices', { key: 'j', code: 'KeyJ' })).toBe(false)
  expect(leftToBrowser('/devices', { key: '/', code: 'Slash' })).toBe(false)
  expect(runs).toEqual(['list.down', 'list.focusSearch'])
})

test('in the side panel and in a list of errors that are longer than their room, scroll keys are left to the browser', async () => {
  const key = listKey('devices', queryOf(lists.devices))
  cache.set(unstable_serialize(key), { data: { count: 1, data: [fleetDevice(0)] } })
  vi.spyOn(running, 'runCommand').mockImplementation(({ id }) => {
    runs.push(id)
    return Promise.resolve({ is: 'failed', error: new Error('Line 2: Not a BSSID') })
  })
  render(
    <>
      <Hotkeys />
      <Panel
        title="Devices"
        mono={false}
        width={340}
        isOverlay={false}
        onClose={() => undefined}
        actions={null}
        head={null}
        tabs={[{ id: 'info', title: 'Info' }]}
        tab="info"
        onTab={() => undefined}
      >
        <CommandForm command={commandOf('device.description')} action="Save" />
      </Panel>
    </>,
  )
  fireEvent.submit(screen.getByRole('form'))
  const errors = await screen.findByRole('alert', { name: 'Errors' })
  const parts = [screen.getByRole('tabpanel'), errors]
  runs.length = 0
  for (const part of parts) leftToBrowser('/devices', { key: 'ArrowDown', code: 'ArrowDown' }, part)
  expect(runs).toEqual(['list.down', 'list.down'])

  for (const part of parts) {
    Object.defineProperty(part, 'scrollHeight', { value: 900 })
    for (const press of scrolling) expect(leftToBrowser('/devices', press, part), press.key).toBe(true)
    expect(leftToBrowser('/devices', { key: 'j', code: 'KeyJ' }, part)).toBe(false)
  }
  expect(runs).toEqual(['list.down', 'list.down', 'list.down', 'list.down'])
})

test('a key of a part of the page runs its command there, and elsewhere that of all screens', () => {
  render(
    <>
      <Hotkeys />
      <button type="button">Elsewhere</button>
      <section data-health>
        <button type="button">In the section</button>
      </section>
    </>,
  )
  for (const path of ['/devices', '/devices/FE:E2:00:00:00:01'])
    for (const button of screen.getAllByRole('button')) {
      button.focus()
      leftToBrowser(path, { key: '?', code: 'Slash', shiftKey: true }, button)
    }
  expect(runs).toEqual(['view.keys', 'health.helpHere', 'view.keys', 'health.helpHere'])
})

test('signs typed with AltGr run commands, except in a text field', () => {
  render(
    <>
      <Hotkeys />
      <input aria-label="Text" />
    </>,
  )
  const sign = { key: '@', code: 'KeyQ', modifierAltGraph: true }
  expect(leftToBrowser('/devices', sign, screen.getByRole('textbox'))).toBe(true)
  expect(runs).toEqual([])
  expect(leftToBrowser('/devices', sign)).toBe(false)
  expect(leftToBrowser('/devices', { key: 'ą', code: 'KeyA', modifierAltGraph: true })).toBe(true)
  expect(runs).toEqual(['device.find'])
})

test('a started sequence is forgotten when its next key takes too long', () => {
  vi.useFakeTimers()
  try {
    render(<Hotkeys />)
    leftToBrowser('/devices', { key: 'g', code: 'KeyG' })
    vi.advanceTimersByTime(sequenceTimeout - 1)
    expect(keySequence.typed).toBe('g')
    vi.advanceTimersByTime(1)
    expect(keySequence.typed).toBeUndefined()
    expect(runs).toEqual([])
  } finally {
    vi.useRealTimers()
  }
})

test('Esc closes a navigation that covers the page, on any screen, before its command runs', () => {
  vi.stubGlobal('matchMedia', () => ({ matches: true }))
  render(<Hotkeys />)
  for (const path of ['/profile', '/devices']) {
    setNav(true)
    expect(leftToBrowser(path, { key: 'Escape', code: 'Escape' })).toBe(false)
    expect(navIsOpen()).toBe(false)
  }
  expect(runs).toEqual([])
  leftToBrowser('/devices', { key: 'Escape', code: 'Escape' })
  expect(runs).toEqual(['list.escape'])
  vi.unstubAllGlobals()
})
