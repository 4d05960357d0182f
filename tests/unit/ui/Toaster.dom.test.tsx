/** Toasts and what makes them wait. */
import { act, cleanup, render, screen } from '@testing-library/react'
import toast from 'react-hot-toast/headless'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Toaster } from '../../../src/ui/Toaster.tsx'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  act(() => toast.remove())
  cleanup()
  vi.useRealTimers()
})

const over = (type: 'pointerover' | 'pointerout', relatedTarget: EventTarget) =>
  screen.getByText('Flushed').dispatchEvent(new MouseEvent(type, { bubbles: true, relatedTarget }))
const pass = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds))

test('a touch so short that nothing is drawn meanwhile lets a toast go away in time', async () => {
  render(<Toaster />)
  act(() => void toast.success('Flushed'))
  await pass(1000)
  act(() => {
    over('pointerover', document.body)
    over('pointerout', document.body)
  })
  await pass(2500)
  expect(screen.getByText('Flushed')).toBeDefined()
  await pass(1000)
  expect(screen.queryByText('Flushed')).toBeNull()
})

test('one that is pointed at waits, and then stays for the rest of its time', async () => {
  render(<Toaster />)
  act(() => void toast.success('Flushed'))
  await pass(1000)
  act(() => void over('pointerover', document.body))
  await pass(20_000)
  expect(screen.getByText('Flushed')).toBeDefined()
  act(() => void over('pointerout', document.body))
  await pass(2500)
  expect(screen.getByText('Flushed')).toBeDefined()
  await pass(1000)
  expect(screen.queryByText('Flushed')).toBeNull()
})
