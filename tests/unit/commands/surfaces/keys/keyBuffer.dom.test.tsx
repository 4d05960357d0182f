/** The key buffer: keys pressed before their target is ready. */
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import * as registry from '../../../../../src/commands/core/registry.ts'
import { beginPending } from '../../../../../src/commands/core/runs/pendingCommands.ts'
import { waitUnlessCancelled } from '../../../../../src/commands/core/runs/waitingCommands.ts'
import { Hotkeys } from '../../../../../src/commands/surfaces/keys/Hotkeys.tsx'
import { holdKeys } from '../../../../../src/commands/surfaces/keys/keyBuffer.ts'
import * as running from '../../../../../src/commands/surfaces/run/run.ts'
import { askQuestion, closeOverlays, overlay } from '../../../../../src/store/overlays.ts'
import { clearSession, setSession } from '../../../../../src/store/session.ts'

const runs: string[] = []
beforeEach(() => {
  runs.length = 0
  vi.spyOn(running, 'runCommand').mockImplementation(({ id }) => {
    runs.push(id)
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

/** A dialog with a controlled field, as in the console. */
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

/** Unregisters the deferred commands until `arrive`; `fail` rejects their loading. */
async function withoutDeferredCommands() {
  const unregistered = registry.commands.filter(({ keys }) => [keys].flat().some(one => /^s |^g j$/.test(one ?? '')))
  registry.unregister(new Set(unregistered.map(({ id }) => id)))
  registry.registryState.isComplete = false
  // Waits until the key bindings are updated.
  await Promise.resolve()
  const loading = Promise.withResolvers<void>()
  vi.spyOn(registry, 'loadAllCommands').mockReturnValue(loading.promise)
  const back = () => {
    registry.register(unregistered)
    registry.registryState.isComplete = true
  }
  return {
    arrive() {
      back()
      loading.resolve()
    },
    fail() {
      loading.reject(new Error('Out of reach'))
      // Registers them again for the next test.
      queueMicrotask(back)
    },
  }
}

test('a key of a deferred command waits until it is loaded, and later keys wait behind it', async () => {
  render(<Hotkeys />)
  const deferred = await withoutDeferredCommands()
  press('s', 'f', 'j')
  expect(runs).toEqual([])
  deferred.arrive()
  await waitFor(() => expect(runs).toEqual(['device.autoFlush', 'list.down']))
})

test('a sequence of a deferred command waits until it is loaded', async () => {
  render(<Hotkeys />)
  const deferred = await withoutDeferredCommands()
  press('g', 'j')
  expect(runs).toEqual([])
  deferred.arrive()
  await waitFor(() => expect(runs).toEqual(['go.jobs']))
})

test.each([
  ['loading fails', (deferred: Awaited<ReturnType<typeof withoutDeferredCommands>>) => deferred.fail()],
  ['the window loses focus', () => fireEvent.blur(window)],
  ['the mouse is pressed', () => fireEvent.pointerDown(document.body)],
  ['Esc is pressed', () => press('Escape')],
])('buffered keys are dropped if %s', async (_, forget) => {
  render(<Hotkeys />)
  const deferred = await withoutDeferredCommands()
  press('s', 'f')
  forget(deferred)
  if (!registry.registryState.isComplete) await Promise.resolve().then(() => deferred.arrive())
  await waitFor(() => expect(registry.registryState.isComplete).toBe(true))
  press('j')
  await waitFor(() => expect(runs).toEqual(['list.down']))
})

test('text and Enter typed while a command is pending reach its page', async () => {
  const given = vi.fn<(text: string) => void>()
  const { rerender } = render(<Hotkeys />)
  const endPending = beginPending()
  press('1', '2', 'x', 'Backspace', '0', 'Enter')
  expect(runs).toEqual([])
  endPending()
  askForArguments()
  // A key pressed in between would be appended.
  rerender(
    <>
      <Hotkeys />
      <Dialog role="dialog" onEnter={given} />
    </>,
  )
  await waitFor(() => expect(given).toHaveBeenCalledWith('120'))
  expect(runs).toEqual([])
})

test('text typed right after opening the palette reaches its field, even if that renders late', async () => {
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
  expect(runs).toEqual([])
})

test('Enter pressed before a question is shown does not confirm it, but typed text reaches it', async () => {
  const confirmed = vi.fn<(text: string) => void>()
  const { rerender } = render(<Hotkeys />)
  const endPending = beginPending()
  press('Enter', 'D', 'E', 'Enter')
  endPending()
  void askQuestion({ title: 'Delete?', text: '', action: 'Delete', type: 'DELETE', danger: true })
  rerender(
    <>
      <Hotkeys />
      <Dialog role="alertdialog" onEnter={confirmed} />
    </>,
  )
  await waitFor(() => expect(screen.getByRole('textbox')).toHaveProperty('value', 'DE'))
  expect(confirmed).not.toHaveBeenCalled()
  // A held Enter key does not confirm it either.
  fireEvent.keyDown(screen.getByRole('textbox'), { key: 'Enter', code: 'Enter', repeat: true })
  expect(confirmed).not.toHaveBeenCalled()
  press('Enter')
  expect(confirmed).toHaveBeenCalledOnce()
  expect(runs).toEqual([])
})

test('Enter pressed before a preview is shown submits it once, without a submitter', async () => {
  const submitted = vi.fn<(submitter: HTMLElement | null) => void>()
  const { rerender } = render(<Hotkeys />)
  const endPending = beginPending()
  press('Enter')
  // A held key counts once.
  fireEvent.keyDown(document.body, { key: 'Enter', code: 'Enter', repeat: true })
  endPending()
  overlay.preview = { number: 1, close: () => undefined }
  rerender(
    <>
      <Hotkeys />
      <div role="alertdialog">
        <form
          onSubmit={event => {
            event.preventDefault()
            submitted((event.nativeEvent as SubmitEvent).submitter)
          }}
        >
          <button autoFocus>Lock</button>
        </form>
      </div>
    </>,
  )
  await waitFor(() => expect(submitted).toHaveBeenCalledExactlyOnceWith(null))
  overlay.preview = undefined
  expect(runs).toEqual([])
})

test('keys pressed while a command is pending run afterwards if it opens nothing', async () => {
  render(<Hotkeys />)
  const endPending = beginPending()
  press('Enter', 'j', 'x')
  expect(runs).toEqual([])
  endPending()
  await waitFor(() => expect(runs).toEqual(['list.down', 'list.toggleRow']))
})

test('keys typed behind a waiting command do not expire, and Esc cancels it and drops them', async () => {
  render(<Hotkeys />)
  /** Starts a command that waits until the returned function is called. */
  const startWaiting = () => {
    const { promise, resolve } = Promise.withResolvers<string>()
    const endPending = beginPending()
    return { ended: waitUnlessCancelled(() => promise).finally(endPending), end: () => resolve('ready') }
  }
  const clock = vi.spyOn(performance, 'now')
  const first = startWaiting()
  press('j')
  // The repeats of a held key would act on after it was released.
  fireEvent.keyDown(document.body, { key: 'j', code: 'KeyJ', repeat: true })
  clock.mockReturnValue(performance.now() + 60_000)
  first.end()
  expect(await first.ended).toBe('ready')
  await waitFor(() => expect(runs).toEqual(['list.down']))

  const second = startWaiting()
  press('x')
  press('Escape')
  expect(await second.ended).toBeUndefined()
  press('k')
  await waitFor(() => expect(runs).toEqual(['list.down', 'list.up']))
})

test('Esc cancels a waiting command also from a button', async () => {
  render(
    <>
      <Hotkeys />
      <button>Flush</button>
    </>,
  )
  screen.getByRole('button').focus()
  const waits = waitUnlessCancelled(() => new Promise(() => {}))
  press('Escape')
  expect(await waits).toBeUndefined()
  expect(runs).toEqual([])
})

test('held keys are replayed once they are released, or dropped by Esc', async () => {
  render(<Hotkeys />)
  const cancel = vi.fn<() => void>()
  const release = holdKeys(cancel)
  press('j')
  expect(runs).toEqual([])
  release()
  await waitFor(() => expect(runs).toEqual(['list.down']))
  const releaseAgain = holdKeys(cancel)
  press('j', 'Escape')
  expect(cancel).toHaveBeenCalledOnce()
  releaseAgain()
  press('k')
  await waitFor(() => expect(runs).toEqual(['list.down', 'list.up']))
})

test('Esc cancels an overlay that has not rendered, and drops the keys typed for it', () => {
  render(<Hotkeys />)
  openPalette()
  press('f', 'Escape')
  expect(overlay.palette).toBeUndefined()
  press('j')
  expect(runs).toEqual(['list.down'])
})

test('Esc does not close credentials that have not rendered, because they are shown only once', () => {
  render(<Hotkeys />)
  overlay.credentials = { list: [{ bssid: '30:AE:A4:00:00:01', secret: 'shown-once' }], savedAs: undefined }
  press('f', 'Escape')
  expect(overlay.credentials?.list).toHaveLength(1)
})

test('keys typed for an overlay that never rendered are dropped', async () => {
  render(<Hotkeys />)
  openPalette()
  await Promise.resolve()
  press('f', 'l')
  closeOverlays()
  await Promise.resolve()
  press('j')
  await waitFor(() => expect(runs).toEqual(['list.down']))
})
