/** The guided tour. */
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { act } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { currentContext } from '../../../../src/commands/core/context.ts'
import { commandOf, findCommand } from '../../../../src/commands/core/registry.ts'
import { notifyRunStarted } from '../../../../src/commands/core/runObserver.ts'
import { setExecutor } from '../../../../src/commands/surfaces/run/run.ts'
import { executor } from '../../../../src/commands/surfaces/host/host.ts'
import { tour } from '../../../../src/commands/tour/state.ts'
import { startTour, tourSteps } from '../../../../src/commands/tour/steps.ts'
import { Tour } from '../../../../src/shell/Tour.tsx'
import { clearSession, setSession } from '../../../../src/store/session.ts'

let isTouch: boolean
beforeEach(() => {
  isTouch = false
  vi.stubGlobal('matchMedia', (query: string) => ({ matches: isTouch && query === '(pointer: coarse)' }))
  setExecutor(executor)
  setSession({ accessToken: 'a', refreshToken: 'r', userId: '1', userRole: 'vendor', login: 'vendor' })
  startTour()
})
afterEach(() => {
  cleanup()
  tour.step = undefined
  clearSession()
  vi.unstubAllGlobals()
})

const runs = (id: string) => act(async () => notifyRunStarted(findCommand(id)!, {})(true))

test('has eight steps; each names keys and ends when its command runs', async () => {
  render(<Tour />)
  expect(tourSteps(false)).toHaveLength(8)
  for (const [index, { command }] of tourSteps(false).entries()) {
    expect(commandOf(command).keys).toBeDefined()
    expect(screen.getByRole('heading').textContent).toBe(`Tour: step ${index + 1} of 8`)
    await runs('view.theme')
    expect(tour.step).toBe(index)
    await runs(command)
  }
  expect(screen.getByRole('status').textContent).toMatch(/^You’re all set/)
})

test('a step can be skipped, and the tour can be left at any step and does not come back', async () => {
  render(<Tour />)
  await userEvent.click(screen.getByRole('button', { name: 'Skip this step' }))
  expect(screen.getByRole('heading').textContent).toBe('Tour: step 2 of 8')
  await userEvent.click(screen.getByRole('button', { name: 'Leave tour' }))
  expect(tour.step).toBeUndefined()
  await runs('list.toggleRow')
  expect(tour.step).toBeUndefined()
  expect(commandOf('tour.leave').availability(currentContext()).is).toBe('blocked')
})

test('on a touch screen, its steps need no keyboard', async () => {
  isTouch = true
  startTour()
  render(<Tour />)
  const steps = tourSteps(true)
  for (const [index, { command }] of steps.entries()) {
    expect(screen.getByRole('heading').textContent).toBe(`Tour: step ${index + 1} of ${steps.length}`)
    expect(screen.getByRole('status').textContent).not.toMatch(/press|key/i)
    await runs(command)
  }
  expect(screen.getByRole('status').textContent).toMatch(/^You’re all set/)
})
