/** What devices are made of and belong to, by a few characters of its name. */
import type { Role } from '../domain/roles.ts'
import type { Entity } from '../store/lists.ts'
import { itemOf, listEndpoints, type Row } from './lists.ts'
import { readList } from './readList.ts'

export const thingKinds = ['filtrationSystems', 'models', 'vendors'] as const satisfies readonly Entity[]
export type ThingKind = (typeof thingKinds)[number]

export interface Thing {
  readonly entity: ThingKind
  readonly id: string
  readonly name: string
  /** What tells it from others of its name. */
  readonly detail: string
}

/** By which columns each is found: what people call it first. */
const columns: Readonly<Record<ThingKind, readonly string[]>> = {
  filtrationSystems: ['model'],
  models: ['name', 'platform'],
  vendors: ['company_name', 'login'],
}
const details: { readonly [E in ThingKind]: (row: Row<E>) => string | undefined } = {
  filtrationSystems: row => row.group?.name,
  models: row => row.platform,
  vendors: row => row.company_name,
}
const maxOfEach = 5

/** Filtration systems, models and vendors that are called that, as far as the role may see them; without a text, the first of each. */
export async function findThings(text: string, role: Role, signal: AbortSignal): Promise<readonly Thing[]> {
  const allowed = thingKinds.filter(entity => (listEndpoints[entity].roles as readonly Role[]).includes(role))
  return (await Promise.all(allowed.map(entity => thingsOf(entity, text.trim(), signal)))).flat()
}

async function thingsOf<E extends ThingKind>(
  entity: E,
  search: string,
  signal: AbortSignal,
): Promise<readonly Thing[]> {
  const [by = ''] = columns[entity]
  const found = await Promise.all(
    (search === '' ? [by] : columns[entity]).map(column =>
      readList(
        entity,
        { limit: maxOfEach, sort: by, direction: 'asc', ...(search !== '' && { search, column, operator: 'co' }) },
        signal,
      ),
    ),
  )
  const things = found
    .flatMap(({ data }) => data)
    .map(row => {
      const { id, name } = itemOf(entity, row)
      return { entity, id, name, detail: details[entity](row) ?? '' }
    })
  return [...new Map(things.map(thing => [thing.id, thing])).values()].slice(0, maxOfEach)
}
