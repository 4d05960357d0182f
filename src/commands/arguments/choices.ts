/** Things that are chosen by part of their name, found by the server. */
import { readList } from '../../api/readList.ts'
import { columnsOf, itemOf, type Row } from '../../api/lists.ts'
import type { Entity } from '../../store/lists.ts'
import { systemTimeZone } from '../../domain/systemTimeZone.ts'
import { session } from '../../store/session.ts'
import type { Choices, Option } from '../core/types.ts'

/** As many as a person scrolls through by mouse; who wants another types more. */
const maxChoices = 100

/** Options of an entity whose `column` contains the query. */
const found =
  <E extends Entity>(entity: E, column: string, detail: (row: Row<E>) => string): Choices =>
  async (_context, query, signal): Promise<readonly Option[]> => {
    const { data } = await readList(
      entity,
      { limit: maxChoices, search: query, column, sort: column, direction: 'asc', operator: 'co' },
      signal,
    )
    return data.map(row => ({ value: itemOf(entity, row).id, name: itemOf(entity, row).name, detail: detail(row) }))
  }

/** Those, and behind them what stands for none, by the same search. */
const orNone =
  (choices: Choices, name: string): Choices =>
  async (context, query, signal) => {
    const none = name.toLowerCase().includes(query.trim().toLowerCase()) ? [{ value: null, name }] : []
    return [...(await choices(context, query, signal)), ...none]
  }

const byCompany = found('vendors', 'company_name', row => row.company_name)
/** Vendors by their company, which is what their devices are listed under. */
export const companyChoices: Choices = async (context, query, signal) =>
  (await byCompany(context, query, signal)).map(({ value, name, detail }) => ({
    value,
    name: detail || name,
    detail: name,
  }))
const everyVendor = found('vendors', 'login', row => row.company_name)
/** A vendor may name only itself. */
export const vendorChoices: Choices = (context, query, signal) =>
  context.role === 'vendor'
    ? session.userId
      ? [{ value: session.userId, name: session.login ?? session.userId }]
      : []
    : everyVendor(context, query, signal)

/** Time zones by a part of their name; first none, which stands for that of whoever looks, and the own one. */
export const zoneChoices: Choices = (_context, query) => {
  const wanted = query.trim().toLowerCase()
  const named = [systemTimeZone(), ...Intl.supportedValuesOf('timeZone')].map(zone => ({ value: zone, name: zone }))
  const all: readonly Option[] = [noZone, ...new Map(named.map(option => [option.value, option])).values()]
  return all
    .filter(({ name }) => name.toLowerCase().replaceAll('_', ' ').includes(wanted.replaceAll('_', ' ')))
    .slice(0, maxChoices)
}
export const noZone: Option = { value: null, name: 'The viewer’s time zone' }

export const modelChoices = found('models', columnsOf('models').search, row => row.platform)
export const systemChoices = found(
  'filtrationSystems',
  columnsOf('filtrationSystems').search,
  row => row.group?.name ?? '',
)
export const cartridgeChoices = found('cartridgeTypes', columnsOf('cartridgeTypes').search, row => row.name)
const someGroup = found('groups', columnsOf('groups').search, () => '')
/** Groups, and last none. */
export const groupChoices = orNone(someGroup, 'No group')
/** To whom filtration systems are assigned: a vendor, or last nobody. */
export const assigneeChoices = orNone(vendorChoices, 'No vendor')
