/** The needs of list commands, also while the list loads and may be empty. */
import { expect, test } from 'vitest'
import type { Context, ListContext } from '../../../../src/commands/core/context.ts'
import { listedMatches, listedRows, notOnLastPage, rowInFocus } from '../../../../src/commands/core/needs.ts'
import { focus } from '../../../../src/store/focus.ts'
import { lists } from '../../../../src/store/lists.ts'
import { itemOf } from '../../../../src/api/lists.ts'
import { fleetDevice } from '../../support/fleet.ts'

const rows = [itemOf('devices', fleetDevice(0) as never)]
const context = (shown: Pick<ListContext, 'rows' | 'count'>): Context => ({
  role: 'admin',
  path: '/devices',
  list: { entity: 'devices', state: lists.devices, focus: focus.devices, ...shown },
  targets: () => [],
  last: undefined,
})
const noFocus = { blocked: 'Move to a row first' }
const stillLoading = { blocked: 'The list is still loading' }

test.each([
  { shown: { rows: [], count: undefined }, rowsOf: stillLoading, all: 'ready', next: stillLoading, row: stillLoading },
  {
    shown: { rows: [], count: 0 },
    rowsOf: { blocked: 'The list is empty' },
    all: { blocked: 'The list is empty' },
    next: { blocked: 'This is the last page' },
    row: noFocus,
  },
  {
    shown: { rows, count: 1 },
    rowsOf: 'ready',
    all: 'ready',
    next: { blocked: 'This is the last page' },
    row: noFocus,
  },
  { shown: { rows, count: 5000 }, rowsOf: 'ready', all: 'ready', next: 'ready', row: noFocus },
])('needs of list commands with a count of $shown.count', ({ shown, rowsOf, all, next, row }) => {
  const of = context(shown)
  const ready = { target: of.list }
  expect(listedRows(of)).toEqual(rowsOf === 'ready' ? ready : rowsOf)
  expect(listedMatches(of)).toEqual(all === 'ready' ? ready : all)
  expect(notOnLastPage(of)).toEqual(next === 'ready' ? ready : next)
  expect(rowInFocus(of)).toEqual(row)
})
