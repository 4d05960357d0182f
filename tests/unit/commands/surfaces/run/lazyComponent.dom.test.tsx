/** Overlays, whose code is loaded before or while they open. */
import { cleanup, render, screen } from '@testing-library/react'
import { Component, Suspense, type ReactNode } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { overlayComponent } from '../../../../../src/commands/surfaces/run/lazyComponent.ts'

afterEach(cleanup)

const Greeting = ({ name }: { name: string }) => <p>Hello {name}</p>
const greeting = (load: () => Promise<unknown>) =>
  overlayComponent(
    () => load().then(() => ({ Greeting })),
    module => module.Greeting,
  )

class Boundary extends Component<{ children: ReactNode }, { message?: string }> {
  static getDerivedStateFromError = (error: Error) => ({ message: error.message })
  override state: { message?: string } = {}
  override render() {
    return this.state.message ?? this.props.children
  }
}

test('an overlay that was preloaded is there with the first render', async () => {
  const Overlay = greeting(() => Promise.resolve())
  await Overlay.preload()
  render(<Overlay name="Ada" />)
  expect(screen.getByText('Hello Ada')).toBeTruthy()
})

test('an overlay that opens while it loads shows nothing and does not suspend, and then appears', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const Overlay = greeting(() => promise)
  const { container } = render(
    <Suspense fallback="suspended">
      <Overlay name="Ada" />
    </Suspense>,
  )
  expect(container.textContent).toBe('')
  resolve()
  await screen.findByText('Hello Ada')
})

test('an overlay that cannot be loaded reports its error to the nearest boundary', async () => {
  // The server answers, so a module that does not load is not there any more.
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  vi.stubGlobal('fetch', () => Promise.resolve(new Response()))
  vi.spyOn(console, 'error').mockReturnValue()
  const Overlay = greeting(() => Promise.reject(new Error('gone')))
  const { container } = render(
    <Boundary>
      <Overlay name="Ada" />
    </Boundary>,
  )
  await vi.waitFor(async () => {
    await vi.advanceTimersByTimeAsync(1000)
    expect(container.textContent).toBe('gone')
  })
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})
