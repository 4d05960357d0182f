/** Devices to choose from where a command takes some of the selected ones. */
import { selections } from '../../store/selection.ts'
import type { Choices, Option } from '../core/types.ts'

/** The maximum number of listed options: enough to scroll through; typing more narrows them down. */
const maxListed = 100

export const selectedDeviceChoices: Choices = (_context, query) =>
  deviceOptions(
    query,
    selections.devices.items().map(({ id }) => id),
  ).slice(0, maxListed)

/** Returns the devices whose id or company contains the query. The company is known only for selected devices. */
export function deviceOptions(query: string, bssids: readonly string[]): readonly Option[] {
  const searchText = query.trim().toLowerCase()
  const items = new Map(selections.devices.items().map(item => [item.id, item]))
  return bssids.flatMap(id => {
    const item = items.get(id) ?? { id, name: id }
    const company = 'company' in item ? item.company : ''
    if (!`${id} ${company}`.toLowerCase().includes(searchText)) return []
    return [{ value: id, name: item.name, ...(company && { detail: company }) }]
  })
}
