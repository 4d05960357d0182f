/** The list of keys in the settings: one tab stop, and arrow keys within. */
import { cleanup, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { KeyBindings } from '../../../../src/screens/settings/KeyBindings.tsx'
import { setExecutor } from '../../../../src/commands/surfaces/run/run.ts'
import { executor } from '../../../../src/commands/surfaces/host/host.ts'
import { preferences } from '../../../../src/store/preferences.ts'
import { clearSession, setSession } from '../../../../src/store/session.ts'

beforeEach(() => {
  setSession({ accessToken: 'a', refreshToken: 'r', userId: '1', userRole: 'admin', login: 'admin' })
  render(<KeyBindings />)
})
afterEach(() => {
  cleanup()
  clearSession()
})

const grid = () => screen.getByRole('grid', { name: 'Keys of commands' })
const buttons = () => [...grid().querySelectorAll('button')]
const tabStops = () => buttons().filter(({ tabIndex }) => tabIndex >= 0)
const focused = () => document.activeElement?.getAttribute('aria-label')

test('the list of keys is a single tab stop, whatever it shows', async () => {
  const user = userEvent.setup()
  expect(buttons().length).toBeGreaterThan(300)
  expect(tabStops()).toEqual([buttons()[0]])
  const search = screen.getByRole('searchbox')
  await user.click(search)
  await user.keyboard('flush')
  expect(tabStops()).toEqual([buttons()[0]])
  await user.tab()
  expect(document.activeElement).toBe(buttons()[0])
  await user.tab()
  expect(grid().contains(document.activeElement)).toBe(false)
  expect(grid().getAttribute('aria-describedby')).toBe(screen.getByText(/^Use ↑ ↓ to move/).id)
})

test('arrow keys move between the rows and between the buttons of a row, and Tab returns to the last one', async () => {
  const user = userEvent.setup()
  const rows = within(grid())
    .getAllByRole('row')
    .filter(row => row.querySelector('button'))
  const nameOf = (row: number, button: number) =>
    rows.at(row)!.querySelectorAll('button')[button]!.getAttribute('aria-label')
  rows[0]!.querySelector('button')!.focus()
  for (const [key, row, button] of [
    ['ArrowDown', 1, 0],
    ['ArrowRight', 1, 1],
    ['ArrowRight', 1, 2],
    ['ArrowRight', 1, 2],
    ['ArrowDown', 2, 2],
    ['ArrowLeft', 2, 1],
    ['PageDown', 12, 1],
    ['End', -1, 1],
    ['ArrowDown', -1, 1],
    ['PageUp', -11, 1],
    ['Home', 0, 1],
    ['ArrowUp', 0, 1],
  ] as const) {
    await user.keyboard(`{${key}}`)
    expect(focused(), key).toBe(nameOf(row, button))
  }
  expect(tabStops().map(stop => stop.getAttribute('aria-label'))).toEqual([nameOf(0, 1)])
})

test('the focus stays in the section when the row of its button no longer matches the search', async () => {
  setExecutor(executor)
  const user = userEvent.setup()
  await user.click(screen.getByRole('searchbox'))
  await user.keyboard('g q')
  const button = screen.getByRole('button', { name: 'Remove the keys of Logout' })
  button.focus()
  await user.keyboard('{Enter}')
  await waitFor(() => expect(button.isConnected).toBe(false))
  // No other command matches.
  expect(document.activeElement).toBe(screen.getByRole('searchbox'))
  preferences.keys = {}
})
