/** Keys pressed before what they are for is there. */
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import * as registry from '../../../../../src/commands/core/registry.ts'
import { beginPending } from '../../../../../src/commands/core/runs/pendingCommands.ts'
import { Hotkeys } from '../../../../../src/commands/surfaces/keys/Hotkeys.tsx'
import * as running from '../../../../../src/commands/surfaces/run/run.ts'
import { askQuestion, closeOverlays, overlay } from '../../../../../src/store/overlays.ts'
import { clearSession, setSession } from '../../../../../src/store/session.ts'

const ran: string[] = []
beforeEach(() => {
  ran.length = 0
  vi.spyOn(running, 'runCommand').mockImplementation(({ id }) => {
    ran.push(id)
    return Promise.resolve({ is: 'stopped' })
  })
  setSession({ accessToken: 'a', refreshToken: 'r', userId: '1', userRole: 'admin', login: 'admin' })
  window.history.replaceState(null, '', '/devices')
})
afterEach(() => {
  closeOverlays()
  cleanup()
  clearSession()
  vi.restoreAllMocks()
})

function press(...keys: string[]): void {
  for (const key of keys) {
    const code = /^[a-z]$/.test(key) ? `Key${key.toUpperCase()}` : key
    fireEvent.keyDown(document.activeElement ?? document.body, { key, code })
  }
}

/** As a field of the console is, what is typed goes through its state. */
function Dialog({ role, onEnter }: { role: 'dialog' | 'alertdialog'; onEnter?: (text: string) => void }) {
  const [text, setText] = useState('')
  return (
    <div role={role}>
      <input
        autoFocus
        value={text}
        onChange={event => setText(event.target.value)}
        onKeyDown={event => event.key === 'Enter' && onEnter?.(text)}
      />
    </div>
  )
}

const openPalette = () => (overlay.palette = { query: '', prompt: undefined })
const askForArguments = () => (overlay.palette = { query: '', prompt: { number: 1, direct: true, answer: () => {} } })

/** The commands that are loaded after the first rows, away until they are called back. */
async function withoutLater() {
  const gone = registry.commands.filter(({ keys }) => [keys].flat().some(one => /^s |^g j$/.test(one ?? '')))
  registry.unregister(new Set(gone.map(({ id }) => id)))
  registry.registryState.all = false
  // The bindings follow.
  await Promise.resolve()
  const loading = Promise.withResolvers<void>()
  vi.spyOn(registry, 'loadAllCommands').mockReturnValue(loading.promise)
  const back = () => {
    registry.register(gone)
    registry.registryState.all = true
  }
  return {
    arrive() {
      back()
      loading.resolve()
    },
    fail() {
      loading.reject(new Error('Out of reach'))
      // The next test has them again.
      queueMicrotask(back)
    },
  }
}

test('a key that begins what is still loading waits for it, and those after it wait behind', async () => {
  render(<Hotkeys />)
  const later = await withoutLater()
  press('s', 'f', 'j')
  expect(ran).toEqual([])
  later.arrive()
  await waitFor(() => expect(ran).toEqual(['device.autoFlush', 'list.down']))
})

test('so does one that goes on with a sequence as only what is still loading does', async () => {
  render(<Hotkeys />)
  const later = await withoutLater()
  press('g', 'j')
  expect(ran).toEqual([])
  later.arrive()
  await waitFor(() => expect(ran).toEqual(['go.jobs']))
})

test.each([
  ['what is loading does not come', (later: Awaited<ReturnType<typeof withoutLater>>) => later.fail()],
  ['the window goes away', () => fireEvent.blur(window)],
  ['the mouse goes on', () => fireEvent.pointerDown(document.body)],
  ['Esc takes them back', () => press('Escape')],
])('keys that wait are forgotten where %s', async (_, forget) => {
  render(<Hotkeys />)
  const later = await withoutLater()
  press('s', 'f')
  forget(later)
  if (!registry.registryState.all) await Promise.resolve().then(() => later.arrive())
  await waitFor(() => expect(registry.registryState.all).toBe(true))
  press('j')
  await waitFor(() => expect(ran).toEqual(['list.down']))
})

test('text and Enter typed while a command is on its way to its page arrive there', async () => {
  const given = vi.fn<(text: string) => void>()
  const { rerender } = render(<Hotkeys />)
  const arrives = beginPending()
  press('1', '2', 'x', 'Backspace', '0', 'Enter')
  expect(ran).toEqual([])
  arrives()
  askForArguments()
  // A press between the two is one more behind them.
  rerender(
    <>
      <Hotkeys />
      <Dialog role="dialog" onEnter={given} />
    </>,
  )
  await waitFor(() => expect(given).toHaveBeenCalledWith('120'))
  expect(ran).toEqual([])
})

test('what is typed right after the palette was asked for is in its field, also where that comes late', async () => {
  const { rerender } = render(<Hotkeys />)
  openPalette()
  press('f', 'l', ' ', 'a')
  rerender(
    <>
      <Hotkeys />
      <Dialog role="dialog" />
    </>,
  )
  press('b')
  await waitFor(() => expect(screen.getByRole('textbox')).toHaveProperty('value', 'fl ab'))
  expect(ran).toEqual([])
})

test('nothing is agreed to by an Enter pressed before it was shown; a word typed for it is there', async () => {
  const agreed = vi.fn<(text: string) => void>()
  const { rerender } = render(<Hotkeys />)
  const arrives = beginPending()
  press('Enter', 'D', 'E', 'Enter')
  arrives()
  void askQuestion({ title: 'Delete?', text: '', action: 'Delete', type: 'DELETE', danger: true })
  rerender(
    <>
      <Hotkeys />
      <Dialog role="alertdialog" onEnter={agreed} />
    </>,
  )
  await waitFor(() => expect(screen.getByRole('textbox')).toHaveProperty('value', 'DE'))
  expect(agreed).not.toHaveBeenCalled()
  // One that is held down since then is no answer either.
  fireEvent.keyDown(screen.getByRole('textbox'), { key: 'Enter', code: 'Enter', repeat: true })
  expect(agreed).not.toHaveBeenCalled()
  press('Enter')
  expect(agreed).toHaveBeenCalledOnce()
  expect(ran).toEqual([])
})

test('where a command only runs, keys pressed before it did do then what they do', async () => {
  render(<Hotkeys />)
  const arrives = beginPending()
  press('j', 'x')
  expect(ran).toEqual([])
  arrives()
  await waitFor(() => expect(ran).toEqual(['list.down', 'list.toggleRow']))
})

test('Esc closes what has yet to open, and what was typed for it goes', () => {
  render(<Hotkeys />)
  openPalette()
  press('f', 'Escape')
  expect(overlay.palette).toBeUndefined()
  press('j')
  expect(ran).toEqual(['list.down'])
})

test('Esc closes no secrets that have yet to be shown: there is no second time', () => {
  render(<Hotkeys />)
  overlay.credentials = { list: [{ bssid: '30:AE:A4:00:00:01', secret: 'shown-once' }], savedAs: undefined }
  press('f', 'Escape')
  expect(overlay.credentials?.list).toHaveLength(1)
})

test('what was typed for something that never came is for nothing else', async () => {
  render(<Hotkeys />)
  openPalette()
  await Promise.resolve()
  press('f', 'l')
  closeOverlays()
  await Promise.resolve()
  press('j')
  await waitFor(() => expect(ran).toEqual(['list.down']))
})
