/** The shared needs of commands: each returns the targets from the context, or the reason why there are none. */
import { messages } from '../../domain/messages.ts'
import type { ItemOf } from '../../api/lists.ts'
import type { Entity } from '../../store/lists.ts'
import { selections, type AnyItem, type Selection } from '../../store/selection.ts'
import type { Needs } from './types.ts'
import type { ListContext } from './context.ts'
import { lastPage } from './listRows.ts'

export const nothing: Needs<undefined> = () => ({ target: undefined })

/** Returns a need for at least one target of an entity, blocked with the reason if there is none. */
const atLeastOne =
  <E extends Entity>(entity: E, reason: string): Needs<readonly ItemOf<E>[]> =>
  ({ targets }) => {
    const target = targets(entity)
    return target.length > 0 ? { target } : { blocked: reason }
  }

/** Returns a need for exactly one target of an entity, blocked with the reason if there are none or several. */
const exactlyOne =
  <E extends Entity>(entity: E, reason: string): Needs<ItemOf<E>> =>
  ({ targets }) => {
    const all = targets(entity)
    const [target] = all
    return target && all.length === 1 ? { target } : { blocked: reason }
  }

export const someDevices = atLeastOne('devices', messages.someDevices)
export const oneDevice = exactlyOne('devices', messages.singleEntity)
/** One device, for commands that update nothing. */
export const chosenDevice: Needs<ItemOf<'devices'>> = context => {
  const count = context.targets('devices').length
  return count === 0
    ? { blocked: messages.chooseDevice }
    : count > 1
      ? { blocked: messages.onlyOneDevice }
      : oneDevice(context)
}
export const someModels = atLeastOne('models', 'At least one model must be selected')
export const oneModel = exactlyOne('models', messages.singleModel)
export const someSystems = atLeastOne('filtrationSystems', messages.someSystems)
export const oneSystem = exactlyOne('filtrationSystems', messages.singleEntity)
export const oneGroup = exactlyOne('groups', messages.singleEntity)
export const oneCartridgeType = exactlyOne('cartridgeTypes', messages.singleEntity)
const someAccounts = 'At least one account must be selected'
export const someAdmins = atLeastOne('admins', someAccounts)
export const oneAdmin = exactlyOne('admins', messages.singleAccount)
export const someVendors = atLeastOne('vendors', messages.someVendors)
export const oneVendor = exactlyOne('vendors', messages.singleAccount)
export const someFindings = atLeastOne('findings', 'At least one finding must be selected')
export const someUsers = atLeastOne('users', someAccounts)

export const currentList: Needs<ListContext> = ({ list }) =>
  list ? { target: list } : { blocked: 'Open a list first' }

/** Blocks with the reason, or with the fact that the list is still loading, because it may not apply afterwards. */
const blockedReason = (list: ListContext | undefined, reason: string) => ({
  blocked: list && list.count === undefined ? 'The list is still loading' : reason,
})

/** A list with loaded rows. */
export const listedRows: Needs<ListContext> = ({ list }) => {
  if (!list) return { blocked: 'Open a list first' }
  return list.rows.length > 0 ? { target: list } : blockedReason(list, 'The list is empty')
}

/** A list for commands that read all matches themselves, so the page on screen may still be loading. */
export const listedMatches: Needs<ListContext> = ({ list }) => {
  if (!list) return { blocked: 'Open a list first' }
  return list.count === 0 ? { blocked: 'The list is empty' } : { target: list }
}

/** Returns a need for selected devices on any screen, blocked with the reason if there are none. */
export const devicesSelected =
  (reason: string): Needs<undefined> =>
  () =>
    selections.devices.size > 0 ? { target: undefined } : { blocked: reason }

export const someSelected: Needs<Selection> = ({ list }) => {
  const selection = selections[list?.entity ?? 'devices']
  return selection.size > 0 || selection.query ? { target: selection } : { blocked: 'Nothing is selected' }
}

export const rowInFocus: Needs<{ row: AnyItem; list: ListContext }> = ({ list }) => {
  const row = list?.rows.find(({ id }) => id === list.focus.id)
  return list && row ? { target: { row, list } } : blockedReason(list, 'Move to a row first')
}

export const notOnFirstPage: Needs<ListContext> = ({ list }) =>
  list && list.state.page > 1 ? { target: list } : { blocked: 'This is the first page' }

export const notOnLastPage: Needs<ListContext> = ({ list }) =>
  list && list.state.page < lastPage(list) ? { target: list } : blockedReason(list, 'This is the last page')
