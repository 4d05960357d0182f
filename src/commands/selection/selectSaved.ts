/** Selections under a name: kept, brought back, forgotten. */
import * as z from 'zod/mini'
import { labelled, text } from '../../api/contract/fields.ts'
import type { Progress } from '../../api/readMatches.ts'
import { readList, searchOf } from '../../api/readList.ts'
import { roles } from '../../domain/roles.ts'
import type { Entity } from '../../store/lists.ts'
import { deleteSaved, savedLoading, savedIn, saveSelection, type SavedSelection } from '../../store/savedSelections.ts'
import { selections, type AnyItem, type Selection } from '../../store/selection.ts'
import { defineCommand, type Choices, type Needs } from '../core/command.ts'
import { InvalidInput } from '../core/invalidInput.ts'
import { countOf, lasting } from '../core/wording.ts'
import { matches } from '../arguments/rank.ts'
import { devicesWith } from './selectList.ts'
import { selectionMode, matchingItems, sourceOf, applyMatches } from './materialize.ts'

/** Something of the list on screen, or of the devices where there is none. */
const here = (entity: Entity | undefined): Entity => entity ?? 'devices'

const toSave: Needs<{ entity: Entity; selection: Selection }> = ({ list }) => {
  const entity = here(list?.entity)
  const selection = selections[entity]
  return selection.size > 0 ? { target: { entity, selection } } : { blocked: 'Nothing is selected' }
}
const someSaved: Needs<Entity> = ({ list }) => {
  const entity = here(list?.entity)
  // Those that have yet to be read can be asked for already.
  if (savedIn(entity).length > 0 || savedLoading()) return { target: entity }
  return { blocked: 'No selection has been saved here' }
}

const savedChoices: Choices = ({ list }, query) => {
  const offered = () =>
    matches(query, savedIn(here(list?.entity)), ({ name }) => name).map(({ name, entity, query: live, ids }) => ({
      value: name,
      name,
      detail: live ? `live: ${sourceOf(entity, live)}` : countOf(ids.length, entity),
    }))
  return savedLoading()?.then(offered) ?? offered()
}

/** One of them by name. */
async function savedAs(entity: Entity, name: string): Promise<SavedSelection> {
  await savedLoading()
  const saved = savedIn(entity).find(one => one.name === name)
  if (!saved) throw new InvalidInput({ name: `Nothing is saved as “${name}”` })
  return saved
}

const Name = labelled(text(60), { label: 'Name' })

/** What is left of those that were saved, as they are now. */
async function found(entity: Entity, ids: readonly string[], progress: Progress): Promise<readonly AnyItem[]> {
  if (entity !== 'devices') {
    const wanted = new Set(ids)
    const all = await matchingItems(entity, { search: '', column: undefined, operator: 'co' }, progress)
    return all.filter(({ id }) => wanted.has(id))
  }
  return devicesWith(ids, progress)
}

const about = { group: 'list', inList: true, roles } as const

export const selectSavedCommands = [
  defineCommand({
    ...about,
    id: 'select.save',
    title: 'Save the selection under a name',
    icon: 'plus',
    keys: 'a n',
    keywords: ['keep', 'store', 'remember', 'name'],
    on: ['selection', 'select'],
    needs: toSave,
    args: z.object({ name: Name }),
    async run({ entity, selection }, { name }) {
      if (savedIn(entity).some(saved => saved.name === name))
        throw new InvalidInput({ name: `“${name}” is saved already: choose another name, or forget that one first` })
      const { query } = selection
      const said = query
        ? `Saved “${name}”: ${sourceOf(entity, query)}, whichever they are then`
        : `Saved ${countOf(selection.size, entity)} as “${name}”`
      const ids = query ? [] : selection.items().map(({ id }) => id)
      return lasting(await saveSelection({ name, entity, query, ids }), said)
    },
  }),
  defineCommand({
    ...about,
    id: 'select.restore',
    title: 'Select what was saved under a name',
    icon: 'reset',
    keys: 'a r',
    keywords: ['restore', 'load', 'bring back'],
    on: ['select'],
    needs: someSaved,
    args: z.object({ name: Name, how: selectionMode }),
    choices: { name: savedChoices },
    async run(entity, { name, how: way }, { progress }) {
      const saved = await savedAs(entity, name)
      const { query } = saved
      if (query && way === undefined) {
        const { count } = await readList(entity, { ...searchOf(query), limit: 1 })
        selections[entity].follow(query, count)
        return `Selected ${countOf(count, entity)}`
      }
      const items = query ? await matchingItems(entity, query, progress) : await found(entity, saved.ids, progress)
      const said = await applyMatches(entity, items, { way, source: `“${name}”`, progress })
      const gone = query ? 0 : saved.ids.length - items.length
      return gone > 0 ? `${said}; ${countOf(gone, entity)} of those saved ${gone === 1 ? 'is' : 'are'} gone` : said
    },
    doing: 'Selecting',
  }),
  defineCommand({
    ...about,
    id: 'select.forget',
    title: 'Forget a saved selection',
    icon: 'trash',
    keys: 'a d',
    keywords: ['delete', 'remove'],
    on: ['select'],
    needs: someSaved,
    args: z.object({ name: Name }),
    choices: { name: savedChoices },
    confirm: (_, { name }) => ({
      title: `Forget “${name}”?`,
      text: 'What it names stays as it is, and so does what is selected.',
      action: `Forget “${name}”`,
      type: undefined,
      danger: true,
    }),
    async run(entity, { name }) {
      return lasting(await deleteSaved(await savedAs(entity, name)), `Forgot “${name}”`)
    },
  }),
]
