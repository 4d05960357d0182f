/** The choices of arguments that refer to other rows, searched by the server. */
import { call } from '../../api/client.ts'
import { devices } from '../../api/contract/devices.ts'
import { readList } from '../../api/readList.ts'
import { columnsOf, itemOf, type Row } from '../../api/lists.ts'
import type { Entity } from '../../store/lists.ts'
import { systemTimeZone } from '../../domain/systemTimeZone.ts'
import { session } from '../../store/session.ts'
import type { Choices, Option } from '../core/types.ts'

/** The maximum number of options: enough to scroll through; typing more narrows them down. */
const maxChoices = 100

/** Returns the choices of an entity: the rows whose `column` contains the query. */
const choicesOf =
  <E extends Entity>(entity: E, column: string, detail: (row: Row<E>) => string): Choices =>
  async (_context, query, signal): Promise<readonly Option[]> => {
    const { data } = await readList(
      entity,
      { limit: maxChoices, search: query, column, sort: column, direction: 'asc', operator: 'co' },
      signal,
    )
    return data.map(row => ({ value: itemOf(entity, row).id, name: itemOf(entity, row).name, detail: detail(row) }))
  }

/** Returns the choices with a last option for none, which the query filters too. */
const withNoneOption =
  (choices: Choices, name: string): Choices =>
  async (context, query, signal) => {
    const none = name.toLowerCase().includes(query.trim().toLowerCase()) ? [{ value: null, name }] : []
    return [...(await choices(context, query, signal)), ...none]
  }

const byCompany = choicesOf('vendors', 'company_name', row => row.company_name)
/** Vendors searched by company name, which device lists show. */
export const companyChoices: Choices = async (context, query, signal) =>
  (await byCompany(context, query, signal)).map(({ value, name, detail }) => ({
    value,
    name: detail || name,
    detail: name,
  }))
const allVendors = choicesOf('vendors', 'login', row => row.company_name)
/** Vendors searched by login; a vendor may choose only itself. */
export const vendorChoices: Choices = (context, query, signal) =>
  context.role === 'vendor'
    ? session.userId
      ? [{ value: session.userId, name: session.login ?? session.userId }]
      : []
    : allVendors(context, query, signal)

/** Time zones searched by name. The first options are none, which means the viewer's time zone, and this machine's. */
export const zoneChoices: Choices = (_context, query) => {
  const searchText = query.trim().toLowerCase()
  const named = [systemTimeZone(), ...Intl.supportedValuesOf('timeZone')].map(zone => ({ value: zone, name: zone }))
  const all: readonly Option[] = [noZone, ...new Map(named.map(option => [option.value, option])).values()]
  return all
    .filter(({ name }) => name.toLowerCase().replaceAll('_', ' ').includes(searchText.replaceAll('_', ' ')))
    .slice(0, maxChoices)
}
/** The option for devices without a time zone of their own. */
export const noZone: Option = { value: null, name: 'The viewer’s time zone' }

/**
 * Labels of water supplies: the typed one, and those in use that contain it. A label that is in use is written as it is
 * there.
 */
export const supplyChoices: Choices = async (_context, query, signal) => {
  const typed = query.trim()
  const labels = await call(devices.waterSupplies, { query: { search: typed, limit: maxChoices }, signal })
  const inUse = labels.map(label => ({ value: label, name: label }))
  if (typed === '') return [...inUse, noSupply]
  const isTyped = ({ name }: Option) => name.toLowerCase() === typed.toLowerCase()
  const first = inUse.find(isTyped) ?? { value: typed, name: typed, detail: 'New label' }
  const none = noSupply.name.toLowerCase().includes(typed.toLowerCase()) ? [noSupply] : []
  return [first, ...inUse.filter(option => !isTyped(option)), ...none]
}
/** The option for devices without a water supply. */
export const noSupply: Option = { value: null, name: 'No water supply' }

export const modelChoices = choicesOf('models', columnsOf('models').search, row => row.platform)
export const systemChoices = choicesOf(
  'filtrationSystems',
  columnsOf('filtrationSystems').search,
  row => row.group?.name ?? '',
)
export const cartridgeChoices = choicesOf('cartridgeTypes', columnsOf('cartridgeTypes').search, row => row.name)
const namedGroups = choicesOf('groups', columnsOf('groups').search, () => '')
/** Groups, with a last option for none. */
export const groupChoices = withNoneOption(namedGroups, 'No group')
/** The vendors to whom a filtration system can be assigned, with a last option for none. */
export const assigneeChoices = withNoneOption(vendorChoices, 'No vendor')
