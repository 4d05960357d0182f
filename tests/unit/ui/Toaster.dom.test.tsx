/** How long toasts stay, and what pauses their timer. */
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

const dispatchPointer = (type: 'pointerover' | 'pointerout', relatedTarget: EventTarget) =>
  screen.getByText('Flushed').dispatchEvent(new MouseEvent(type, { bubbles: true, relatedTarget }))
const advanceTime = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds))

test('a touch shorter than a frame does not extend a toast’s time', async () => {
  render(<Toaster />)
  act(() => void toast.success('Flushed'))
  await advanceTime(1000)
  act(() => {
    dispatchPointer('pointerover', document.body)
    dispatchPointer('pointerout', document.body)
  })
  await advanceTime(2500)
  expect(screen.getByText('Flushed')).toBeDefined()
  await advanceTime(1000)
  expect(screen.queryByText('Flushed')).toBeNull()
})

test('a toast stays while hovered, and then for the rest of its time', async () => {
  render(<Toaster />)
  act(() => void toast.success('Flushed'))
  await advanceTime(1000)
  act(() => void dispatchPointer('pointerover', document.body))
  await advanceTime(20_000)
  expect(screen.getByText('Flushed')).toBeDefined()
  act(() => void dispatchPointer('pointerout', document.body))
  await advanceTime(2500)
  expect(screen.getByText('Flushed')).toBeDefined()
  await advanceTime(1000)
  expect(screen.queryByText('Flushed')).toBeNull()
})

test('a toast that follows one that was closed with the focus or the pointer on it closes by itself', async () => {
  render(<Toaster />)
  act(() => void toast.success('Flushed'))
  await advanceTime(1000)
  act(() => {
    dispatchPointer('pointerover', document.body)
    screen.getByRole('button', { name: 'Close' }).focus()
  })
  act(() => screen.getByRole('button', { name: 'Close' }).click())
  // Before the library has forgotten the closed toast.
  await advanceTime(500)
  act(() => void toast.success('Rebooted'))
  await advanceTime(5000)
  expect(screen.queryByText('Rebooted')).toBeNull()
})
