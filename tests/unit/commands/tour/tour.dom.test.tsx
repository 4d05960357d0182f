/** The guided tour. */
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { act } from 'react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { currentContext } from '../../../../src/commands/core/context.ts'
import { commandOf, findCommand } from '../../../../src/commands/core/registry.ts'
import { notifyRunStarted } from '../../../../src/commands/core/runObserver.ts'
import { setHost } from '../../../../src/commands/surfaces/run/run.ts'
import { host } from '../../../../src/commands/surfaces/host/host.ts'
import { tour } from '../../../../src/commands/tour/state.ts'
import { startTour, tourSteps } from '../../../../src/commands/tour/steps.ts'
import { Tour } from '../../../../src/shell/Tour.tsx'
import { clearSession, setSession } from '../../../../src/store/session.ts'

beforeEach(() => {
  setHost(host)
  setSession({ accessToken: 'a', refreshToken: 'r', userId: '1', userRole: 'vendor', login: 'vendor' })
  startTour()
})
afterEach(() => {
  cleanup()
  tour.step = undefined
  clearSession()
})

const runs = (id: string) => act(async () => notifyRunStarted(findCommand(id)!, {})(true))

test('has eight steps; each names keys and ends when its command runs', async () => {
  render(<Tour />)
  expect(tourSteps).toHaveLength(8)
  for (const [index, { command }] of tourSteps.entries()) {
    expect(commandOf(command).keys).toBeDefined()
    expect(screen.getByRole('heading').textContent).toBe(`Tour: step ${index + 1} of 8`)
    await runs('view.theme')
    expect(tour.step).toBe(index)
    await runs(command)
  }
  expect(screen.getByRole('status').textContent).toMatch(/^That was the tour/)
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
