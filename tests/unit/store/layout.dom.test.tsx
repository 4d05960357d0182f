/** The side panel on narrow screens, where it covers the page. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { commandOf } from '../../../src/commands/core/registry.ts'
import { executor } from '../../../src/commands/surfaces/host/host.ts'
import { runCommand, setExecutor } from '../../../src/commands/surfaces/run/run.ts'
import { routes } from '../../../src/domain/lists/routes.ts'
import { panelIsOpen, setPanel } from '../../../src/store/layout.ts'
import { lists } from '../../../src/store/lists.ts'
import { clearSession, setSession } from '../../../src/store/session.ts'

beforeEach(() => {
  setExecutor(executor)
  vi.stubGlobal('matchMedia', () => ({ matches: true }))
  setSession({ accessToken: 'a', refreshToken: 'r', userId: '1', userRole: 'admin', login: 'admin' })
})
afterEach(() => {
  vi.unstubAllGlobals()
  clearSession()
})

const open = (path: string) => window.history.replaceState(null, '', path)

test('a panel that covers the page is closed on the next screen', () => {
  open(routes.groups.path)
  setPanel(true)
  expect(panelIsOpen()).toBe(true)
  open(routes.devices.path)
  expect(panelIsOpen()).toBe(false)
  // A command that opens another screen may open the panel of that.
  setPanel(true)
  expect(panelIsOpen()).toBe(true)
})

test('Esc closes a panel that covers a list before it clears the search', async () => {
  open(routes.groups.path)
  lists.groups.search = 'north'
  setPanel(true)
  const escape = () => runCommand(commandOf('list.escape'))
  await escape()
  expect([panelIsOpen(), lists.groups.search]).toEqual([false, 'north'])
  await escape()
  expect(lists.groups.search).toBe('')
})
