/** The commands that arrange a list's columns. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { currentContext } from '../../../../src/commands/core/context.ts'
import { commandOf } from '../../../../src/commands/core/registry.ts'
import { executor } from '../../../../src/commands/surfaces/host/host.ts'
import { page } from '../../../../src/commands/surfaces/host/page.ts'
import { run, setExecutor } from '../../../../src/commands/surfaces/run/run.ts'
import { columnWidth, orderedColumns } from '../../../../src/store/columns.ts'
import { lists, resetLists } from '../../../../src/store/lists.ts'
import { preferences } from '../../../../src/store/preferences.ts'
import { clearSession, setSession } from '../../../../src/store/session.ts'

const list = lists.groups
beforeEach(() => {
  window.history.replaceState(undefined, '', '/filtration-system-groups')
  setExecutor(executor)
  setSession({ accessToken: 'a', refreshToken: 'r', userId: '1', userRole: 'admin', login: 'admin' })
})
afterEach(() => {
  resetLists()
  clearSession()
  vi.restoreAllMocks()
})

/** Returns the names of the options for an argument. */
async function optionsOf(command: Parameters<typeof commandOf>[0], argument: string): Promise<readonly string[]> {
  const field = commandOf(command).fields.find(({ name }) => name === argument)!
  const options = await field.choices!(currentContext(), '', new AbortController().signal)
  return options.map(({ name, detail }) => (detail ? `${name}, ${detail}` : name))
}

test('a column moves before another one or to the end, and not before the first', async () => {
  expect(await optionsOf('list.moveColumn', 'column')).toEqual(['Created, shown', 'Updated, shown'])
  expect(await optionsOf('list.moveColumn', 'place')).toEqual(['Before Created', 'Before Updated', 'At the end'])
  await run('list.moveColumn', { input: { column: 'updated_at', place: 'created_at' } })
  expect(orderedColumns('groups', list)).toEqual(['name', 'updated_at', 'created_at'])
  expect(await optionsOf('list.columns', 'column')).toEqual(['Name, pinned', 'Updated, shown', 'Created, shown'])
  await run('list.moveColumn', { input: { column: 'updated_at', place: 'end' } })
  expect(orderedColumns('groups', list)).toEqual(['name', 'created_at', 'updated_at'])
})

test('a column is pinned and unpinned', async () => {
  await run('list.pinColumn', { input: { column: 'updated_at' } })
  expect(list.pinned).toEqual(['updated_at'])
  expect(await optionsOf('list.pinColumn', 'column')).toEqual(['Updated, pinned', 'Created, shown'])
  await run('list.pinColumn', { input: { column: 'updated_at' } })
  expect(list.pinned).toEqual([])
})

test('a hidden column is offered to show, and neither to move nor to size', async () => {
  await run('list.columns', { input: { column: 'updated_at' } })
  expect(await optionsOf('list.columns', 'column')).toContain('Updated, hidden')
  for (const command of [
    'list.moveColumn',
    'list.pinColumn',
    'list.columnWidth',
    'list.resizeColumn',
    'list.fitColumn',
  ] as const)
    expect(await optionsOf(command, 'column'), command).not.toContain('Updated, hidden')
})

test('a width is set as a number, or with the arrow keys at the column’s edge', async () => {
  const focus = vi.spyOn(page, 'focus')
  await run('list.columnWidth', { input: { column: 'name', width: 240 } })
  expect(columnWidth('groups', list, 'name')).toBe(240)
  expect(focus).not.toHaveBeenCalled()
  await run('list.resizeColumn', { input: { column: 'name' } })
  expect(focus).toHaveBeenCalledWith('column-width-name')
})

test('a column is fitted to its content, and stays as it is while the table does not show it', async () => {
  const contentWidth = vi.spyOn(page, 'contentWidth').mockResolvedValueOnce(131)
  await run('list.fitColumn', { input: { column: 'name' } })
  expect(columnWidth('groups', list, 'name')).toBe(131)
  contentWidth.mockResolvedValueOnce(undefined)
  await run('list.fitColumn', { input: { column: 'name' } })
  expect(columnWidth('groups', list, 'name')).toBe(131)
})

test('the columns can be reset once they have been changed', async () => {
  const reset = commandOf('list.resetColumns')
  expect(reset.availability(currentContext())).toEqual({
    is: 'blocked',
    reason: 'The columns have not been changed',
  })
  await run('list.columnWidth', { input: { column: 'name', width: 240 } })
  await run('list.pinColumn', { input: { column: 'updated_at' } })
  await run('list.resetColumns')
  expect(columnWidth('groups', list, 'name')).toBe(320)
  expect(list).toMatchObject({ shown: {}, order: [], widths: {}, pinned: [] })
})

test('the density of the rows changes for all lists', async () => {
  await run('view.density')
  expect(preferences.density).toBe('compact')
  await run('view.density')
  expect(preferences.density).toBe('comfortable')
})
