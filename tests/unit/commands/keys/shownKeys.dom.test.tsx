/** The keys shown with commands, and the names of commands in lists of all commands. */
import { act, cleanup, render, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { currentContext } from '../../../../src/commands/core/context.ts'
import { searchableCommands } from '../../../../src/commands/palette/searchable.ts'
import { bindableCommands } from '../../../../src/commands/keys/conflicts.ts'
import { displayName } from '../../../../src/commands/core/displayName.ts'
import { commandOf } from '../../../../src/commands/core/registry.ts'
import { CommandButton } from '../../../../src/commands/surfaces/buttons/CommandButton.tsx'
import { KeySheet } from '../../../../src/commands/surfaces/keys/KeySheet.tsx'
import { StatusBar } from '../../../../src/commands/surfaces/keys/StatusBar.tsx'
import type { Role } from '../../../../src/domain/roles.ts'
import { KeyBindings } from '../../../../src/screens/settings/KeyBindings.tsx'
import { preferences } from '../../../../src/store/preferences.ts'
import { clearSession, setSession } from '../../../../src/store/session.ts'

const signIn = (userRole: Role) =>
  setSession({ accessToken: 'a', refreshToken: 'r', userId: '1', userRole, login: userRole })

beforeEach(() => {
  signIn('admin')
  window.history.replaceState(null, '', '/devices')
})
afterEach(() => {
  preferences.bareKeys = true
  cleanup()
  clearSession()
})

test('keys that are switched off are shown only in the settings', async () => {
  render(
    <>
      <CommandButton command={commandOf('view.theme')} />
      <CommandButton command={commandOf('view.palette')} />
      <StatusBar />
    </>,
  )
  const theme = screen.getByRole('button', { name: /Switch theme/ })
  const bar = within(screen.getByRole('contentinfo'))
  expect(theme.textContent).toMatch(/t$/)
  expect(theme.getAttribute('aria-keyshortcuts')).toBe('t')
  expect(bar.getAllByRole('button').length).toBeGreaterThan(0)
  const bare = bar.getAllByRole('button').filter(button => button.querySelector('kbd')?.textContent?.length === 1)
  expect(bare.length).toBeGreaterThan(0)

  await act(async () => {
    preferences.bareKeys = false
    await Promise.resolve()
  })
  expect(theme.getAttribute('aria-keyshortcuts')).toBeNull()
  expect(theme.querySelector('kbd')).toBeNull()
  expect(screen.getAllByText('Ctrl k', { selector: 'kbd' }).length).toBeGreaterThan(0)
  for (const one of bare) expect(one.isConnected).toBe(false)
  cleanup()

  render(<KeySheet />)
  expect(screen.queryByText('Switch theme')).toBeNull()
  cleanup()
  render(<KeyBindings />)
  expect(screen.getByRole('row', { name: /^Switch theme/ }).querySelector('kbd')?.textContent).toBe('t')
})

test.each(['superadmin', 'admin', 'vendor'] as const)('no two commands of a %s have the same name', role => {
  signIn(role)
  const context = currentContext()
  const repeated = (names: readonly string[]) => names.filter((name, index) => names.indexOf(name) !== index)
  expect(repeated(bindableCommands(context).map(displayName))).toEqual([])
  expect(repeated(searchableCommands(context, 0).map(({ label }) => label))).toEqual([])
})

test('the list of keys adds the entity to equal names', () => {
  render(<KeySheet />)
  const names = screen.getAllByRole('term').map(term => term.textContent)
  expect(names).toContain('Block (vendors)')
  expect(names).toContain('Delete (devices)')
  expect(names).toHaveLength(new Set(names).size)
})
