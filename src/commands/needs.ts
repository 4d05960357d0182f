/** What commands act on: named, shared, pure. Each says how many, which, and why not. */
import { messages } from '../domain/messages.ts'
import type { Pickable } from '../store/selection.ts'
import type { Needs } from './command.ts'
import type { ListContext } from './context.ts'
import { lastPage } from './rows.ts'

export const nothing: Needs<undefined> = () => ({ target: undefined })

export const someDevices: Needs<readonly Pickable[]> = ({ devices }) =>
  devices.length > 0 ? { target: devices } : { blocked: messages.someDevices }

export const oneDevice: Needs<Pickable> = ({ devices: [device, ...more] }) =>
  device && more.length === 0 ? { target: device } : { blocked: messages.singleEntity }

export const theList: Needs<ListContext> = ({ list }) => (list ? { target: list } : { blocked: 'Open a list first' })

export const listedRows: Needs<ListContext> = context => {
  if (!context.list) return { blocked: 'Open a list first' }
  return context.list.rows.length > 0 ? { target: context.list } : { blocked: 'Nothing is listed' }
}

export const someSelected: Needs<undefined> = ({ selected }) =>
  selected.length > 0 ? { target: undefined } : { blocked: 'Nothing is selected' }

export const rowInFocus: Needs<{ row: Pickable; list: ListContext }> = ({ list }) => {
  const row = list?.rows.find(({ id }) => id === list.focus.id)
  return list && row ? { target: { row, list } } : { blocked: 'Move to a row first' }
}

export const notOnFirstPage: Needs<ListContext> = ({ list }) =>
  list && list.state.page > 1 ? { target: list } : { blocked: 'This is the first page' }

export const notOnLastPage: Needs<ListContext> = ({ list }) =>
  list && list.state.page < lastPage(list) ? { target: list } : { blocked: 'This is the last page' }
