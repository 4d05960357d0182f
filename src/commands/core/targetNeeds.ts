/** The needs for rows of an entity. The commands that show with the first rows use only those of needs.ts. */
import { messages } from '../../domain/messages.ts'
import type { ItemOf } from '../../api/lists.ts'
import type { Entity } from '../../store/lists.ts'
import { selections } from '../../store/selection.ts'
import type { Needs } from './types.ts'

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

/** Returns a need for selected devices on any screen, blocked with the reason if there are none. */
export const devicesSelected =
  (reason: string): Needs<undefined> =>
  () =>
    selections.devices.size > 0 ? { target: undefined } : { blocked: reason }
