/** Commands that save, restore and delete named selections. */
import * as z from 'zod/mini'
import { withMeta, text } from '../../api/contract/fields.ts'
import type { Progress } from '../../api/readMatches.ts'
import { readList, searchOf } from '../../api/readList.ts'
import { roles } from '../../domain/roles.ts'
import type { Entity } from '../../store/lists.ts'
import {
  deleteSelection,
  savedLoading,
  savedSelectionsOf,
  saveSelection,
  type SavedSelection,
} from '../../store/savedSelections.ts'
import { selections, type AnyItem, type Selection } from '../../store/selection.ts'
import { defineCommand } from '../core/defineCommand.ts'
import type { Choices, Needs } from '../core/types.ts'
import { InvalidInput } from '../core/invalidInput.ts'
import { countOf, withStorageWarning } from '../core/wording.ts'
import { filterByName } from '../arguments/rank.ts'
import { readDevices } from './selectList.ts'
import { describeSearch } from './describe.ts'
import { selectionMode, matchingItems, applyMatches } from './materialize.ts'

/** Returns the entity of the list on screen, or devices if there is no list. */
const entityOrDevices = (entity: Entity | undefined): Entity => entity ?? 'devices'

const selectionToSave: Needs<{ entity: Entity; selection: Selection }> = ({ list }) => {
  const entity = entityOrDevices(list?.entity)
  const selection = selections[entity]
  return selection.size > 0 ? { target: { entity, selection } } : { blocked: 'Nothing is selected' }
}
const anySaved: Needs<Entity> = ({ list }) => {
  const entity = entityOrDevices(list?.entity)
  // While the saved selections load, the command is available: its choices wait for them.
  if (savedSelectionsOf(entity).length > 0 || savedLoading()) return { target: entity }
  return { blocked: 'There are no saved selections' }
}

const savedChoices: Choices = ({ list }, query) => {
  const options = () =>
    filterByName(query, savedSelectionsOf(entityOrDevices(list?.entity)), ({ name }) => name).map(
      ({ name, entity, query: live, ids }) => ({
        value: name,
        name,
        detail: live ? `live: ${describeSearch(entity, live)}` : countOf(ids.length, entity),
      }),
    )
  return savedLoading()?.then(options) ?? options()
}

/** Returns the saved selection with this name. Rejects with InvalidInput if there is none. */
async function savedByName(entity: Entity, name: string): Promise<SavedSelection> {
  await savedLoading()
  const saved = savedSelectionsOf(entity).find(one => one.name === name)
  if (!saved) throw new InvalidInput({ name: `No selection is saved as “${name}”` })
  return saved
}

const Name = withMeta(text(60), { label: 'Name' })

/** Returns the current rows with these ids; deleted ones are left out. */
async function readSaved(entity: Entity, ids: readonly string[], progress: Progress): Promise<readonly AnyItem[]> {
  if (entity !== 'devices') {
    const wantedIds = new Set(ids)
    const all = await matchingItems(entity, { search: '', column: undefined, operator: 'co' }, progress)
    return all.filter(({ id }) => wantedIds.has(id))
  }
  return readDevices(ids, progress)
}

const savedSelectionCommand = { group: 'list', inList: true, roles } as const

export const selectSavedCommands = [
  defineCommand({
    ...savedSelectionCommand,
    id: 'select.save',
    selection: 'reads',
    title: 'Save selection',
    icon: 'plus',
    keys: 'a n',
    keywords: ['keep', 'store', 'remember', 'name'],
    on: ['selection', 'select'],
    needs: selectionToSave,
    args: z.object({ name: Name }),
    async run({ entity, selection }, { name }) {
      if (savedSelectionsOf(entity).some(saved => saved.name === name))
        throw new InvalidInput({ name: `“${name}” already exists: choose another name, or delete the saved one first` })
      const { query } = selection
      const message = query
        ? `Saved “${name}”: ${describeSearch(entity, query)}, searched again when restored`
        : `Saved ${countOf(selection.size, entity)} as “${name}”`
      const ids = query ? [] : selection.items().map(({ id }) => id)
      return withStorageWarning(await saveSelection({ name, entity, query, ids }), message)
    },
  }),
  defineCommand({
    ...savedSelectionCommand,
    id: 'select.restore',
    selection: 'changes',
    title: 'Restore saved selection',
    icon: 'reset',
    keys: 'a r',
    keywords: ['restore', 'load', 'bring back'],
    on: ['select'],
    needs: anySaved,
    args: z.object({ name: Name, how: selectionMode }),
    choices: { name: savedChoices },
    async run(entity, { name, how: mode }, { progress }) {
      const saved = await savedByName(entity, name)
      const { query } = saved
      if (query && mode === undefined) {
        const { count } = await readList(entity, { ...searchOf(query), limit: 1 })
        selections[entity].follow(query, count)
        return `Selected ${countOf(count, entity)}`
      }
      const items = query ? await matchingItems(entity, query, progress) : await readSaved(entity, saved.ids, progress)
      const message = await applyMatches(entity, items, { mode, source: `“${name}”`, progress })
      const missing = query ? 0 : saved.ids.length - items.length
      if (missing <= 0) return message
      return `${message}; ${countOf(missing, entity)} ${missing === 1 ? 'is' : 'are'} no longer available`
    },
    progressTitle: 'Selecting',
  }),
  defineCommand({
    ...savedSelectionCommand,
    id: 'select.forget',
    title: 'Delete saved selection',
    icon: 'trash',
    keys: 'a d',
    keywords: ['forget', 'remove'],
    on: ['select'],
    needs: anySaved,
    args: z.object({ name: Name }),
    choices: { name: savedChoices },
    confirm: (_, { name }) => ({
      title: `Delete “${name}”?`,
      text: 'Its rows and the current selection stay as they are.',
      action: 'Delete selection',
      type: undefined,
      danger: true,
    }),
    async run(entity, { name }) {
      return withStorageWarning(await deleteSelection(await savedByName(entity, name)), `Deleted “${name}”`)
    },
  }),
]
