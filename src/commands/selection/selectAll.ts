/** Commands that select by a search: all matches of the list's search or of another search, or all other rows. */
import * as z from 'zod/mini'
import { readList, searchOf } from '../../api/readList.ts'
import { withMeta, text } from '../../api/contract/fields.ts'
import { withUnit } from '../../domain/lists/amountSearch.ts'
import { roles } from '../../domain/roles.ts'
import { preferences } from '../../store/preferences.ts'
import { selections, type ListSearch } from '../../store/selection.ts'
import { defineCommand } from '../core/defineCommand.ts'
import { columnChoices, Column, Operator } from '../lists/commands.ts'
import { listedRows, currentList } from '../core/needs.ts'
import { countOf } from '../core/wording.ts'
import { describeSearch } from './describe.ts'
import { materializeSelection, selectionMode, matchingItems, applyMatches } from './materialize.ts'
import { formatNumber } from '../../domain/format.ts'

const selecting = {
  group: 'list',
  inList: true,
  selection: 'changes',
  icon: 'select',
  roles,
  progressTitle: 'Selecting',
} as const

/** Returns the query with the chosen unit appended to amounts, so that it stays the same if the unit changes. */
const queryWithUnit = ({ search, column, operator }: ListSearch): ListSearch =>
  withUnit({ search, column, operator }, preferences.units)

export const selectAllCommands = [
  defineCommand({
    ...selecting,
    id: 'list.selectAll',
    title: 'Select all that match',
    keys: ['mod+shift+a', 'a a'],
    keywords: ['everything', 'all pages'],
    on: ['selection', 'select'],
    needs: listedRows,
    label: ({ list }) =>
      list?.count === undefined || list.isEstimate ? 'Select all that match' : `Select all ${formatNumber(list.count)}`,
    run({ entity, state, rows, count: shown = rows.length, isEstimate }) {
      const query = queryWithUnit(state)
      const select = (count: number) => {
        selections[entity].follow(query, count)
        return `Selected ${countOf(count, entity)}`
      }
      // The size of a selection is exact, because people confirm commands by it.
      return isEstimate
        ? readList(entity, { limit: 1, ...searchOf(query) }).then(({ count }) => select(count))
        : select(shown)
    },
  }),
  defineCommand({
    ...selecting,
    id: 'select.search',
    title: 'Select by search',
    keys: 'a /',
    keywords: ['find', 'column', 'where', 'query'],
    on: ['select'],
    needs: currentList,
    args: z.object({
      column: Column,
      operator: Operator,
      search: withMeta(text(200), { label: 'Text' }),
      how: selectionMode,
    }),
    choices: { column: columnChoices },
    async run({ entity }, { how: mode, ...search }, { progress }) {
      const query = queryWithUnit(search)
      const found = await matchingItems(entity, query, progress)
      return applyMatches(entity, found, { mode, source: describeSearch(entity, query), progress })
    },
  }),
  defineCommand({
    ...selecting,
    id: 'select.invert',
    title: 'Invert selection',
    keys: 'a i',
    keywords: ['others', 'opposite', 'reverse'],
    on: ['selection', 'select'],
    needs: listedRows,
    label: ({ list }) => (list?.state.search ? 'Invert selection within matches' : 'Invert selection'),
    async run({ entity, state }, _, { progress }) {
      const query = queryWithUnit(state)
      const selected = new Set((await materializeSelection(entity, progress)).map(({ id }) => id))
      const unselected = (await matchingItems(entity, query, progress)).filter(({ id }) => !selected.has(id))
      if (unselected.length === 0) throw new Error('Nothing else matches: the selection is unchanged')
      selections[entity].replace(unselected, [`${describeSearch(entity, query)}, inverted`])
      return `Selected ${countOf(unselected.length, entity)}`
    },
  }),
]
