/** The command that finds a filtration system, model or vendor by name and shows it in its list. */
import * as z from 'zod/mini'
import { columnsOf, itemOf } from '../../api/lists.ts'
import { readList } from '../../api/readList.ts'
import { findEntities, searchableEntities, type EntityMatch } from '../../api/searchEntities.ts'
import { withMeta } from '../../api/contract/fields.ts'
import { models } from '../../api/contract/models.ts'
import { nounsOf } from '../../domain/lists/lists.ts'
import { routes } from '../../domain/lists/routes.ts'
import { lists, setSearch, setSearchBy } from '../../store/lists.ts'
import { selections } from '../../store/selection.ts'
import { defineCommand } from '../core/defineCommand.ts'
import type { Option } from '../core/types.ts'
import { nothing } from '../core/needs.ts'

const MatchValue = z.object({ entity: z.enum(searchableEntities), id: z.string(), name: z.string() })

const optionOf = ({ entity, id, name, detail }: EntityMatch): Option => ({
  value: { entity, id, name },
  name,
  detail: [nounsOf(entity)[0], detail === name ? '' : detail].filter(Boolean).join(' · '),
})

/** Returns the list column that contains the entity's name. */
const nameColumn = (entity: EntityMatch['entity']): string => columnsOf(entity).search

export const findCommands = [
  defineCommand({
    id: 'list.find',
    title: 'Find filtration system, model or vendor',
    group: 'list',
    selection: 'changes',
    icon: 'search',
    keys: '#',
    keywords: ['search', 'show', 'go to system', 'go to vendor', 'go to model'],
    // All roles that manage devices may list models. Systems and vendors are found only by roles that may list them.
    roles: models.list.roles === 'public' ? [] : models.list.roles,
    needs: nothing,
    args: z.object({ thing: withMeta(MatchValue, { label: 'Filtration system, model or vendor' }) }),
    choices: {
      thing: async ({ role }, query, signal) => (role ? (await findEntities(query, role, signal)).map(optionOf) : []),
    },
    async run(_, { thing: { entity, id, name } }, { go }) {
      const column = nameColumn(entity)
      const { data } = await readList(entity, { search: name, column, operator: 'eq', limit: 100 })
      const row = data.find(one => itemOf(entity, one).id === id)
      if (!row) return `The ${nounsOf(entity)[0]} “${name}” no longer exists`
      selections[entity].clear()
      selections[entity].add([itemOf(entity, row)])
      setSearchBy(lists[entity], { column, operator: 'eq' })
      setSearch(lists[entity], name)
      go(routes[entity].path)
      return undefined
    },
  }),
]
