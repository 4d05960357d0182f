/** Searches filtration systems, models and vendors by name. */
import type { Role } from '../domain/roles.ts'
import type { Entity } from '../store/lists.ts'
import { listEndpoints } from './contract/all/lists.ts'
import { itemOf, type Row } from './lists.ts'
import { readList } from './readList.ts'

export const searchableEntities = ['filtrationSystems', 'models', 'vendors'] as const satisfies readonly Entity[]
export type SearchableEntity = (typeof searchableEntities)[number]

export interface EntityMatch {
  readonly entity: SearchableEntity
  readonly id: string
  readonly name: string
  /** Distinguishes entities with the same name. */
  readonly detail: string
}

/** The columns that are searched, the display name first. */
const searchColumns: Readonly<Record<SearchableEntity, readonly string[]>> = {
  filtrationSystems: ['model'],
  models: ['name', 'platform'],
  vendors: ['company_name', 'login'],
}
const details: { readonly [E in SearchableEntity]: (row: Row<E>) => string | undefined } = {
  filtrationSystems: row => row.group?.name,
  models: row => row.platform,
  vendors: row => row.company_name,
}
const maxOfEach = 5

/** Returns the entities that match, of the kinds that the role may list; for an empty text the first of each kind. */
export async function findEntities(text: string, role: Role, signal: AbortSignal): Promise<readonly EntityMatch[]> {
  const allowed = searchableEntities.filter(entity => (listEndpoints[entity].roles as readonly Role[]).includes(role))
  return (await Promise.all(allowed.map(entity => searchEntity(entity, text.trim(), signal)))).flat()
}

async function searchEntity<E extends SearchableEntity>(
  entity: E,
  search: string,
  signal: AbortSignal,
): Promise<readonly EntityMatch[]> {
  const [by = ''] = searchColumns[entity]
  const results = await Promise.all(
    (search === '' ? [by] : searchColumns[entity]).map(column =>
      readList(
        entity,
        { limit: maxOfEach, sort: by, direction: 'asc', ...(search !== '' && { search, column, operator: 'co' }) },
        signal,
      ),
    ),
  )
  const things = results
    .flatMap(({ data }) => data)
    .map(row => {
      const { id, name } = itemOf(entity, row)
      return { entity, id, name, detail: details[entity](row) ?? '' }
    })
  return [...new Map(things.map(thing => [thing.id, thing])).values()].slice(0, maxOfEach)
}
