import { useSnapshot } from 'valtio'
import { nouns } from '../../../domain/nouns.ts'
import { limits, lists, type Entity } from '../../../store/lists.ts'
import { useSelection } from '../../../store/selection.ts'
import { commandOf } from '../../registry.ts'
import { CommandButton, CommandKeys } from '../CommandButton.tsx'
import { run } from '../run.ts'

/** How many there are, how many are selected, and which page of them this is. */
export function Pager(props: { entity: Entity; count: number | undefined; ids: readonly string[] | undefined }) {
  const { entity, count, ids } = props
  const { page, limit } = useSnapshot(lists[entity])
  const selection = useSelection(entity)
  const here = ids?.filter(id => selection.has(id)).length ?? 0
  const from = count === 0 ? 0 : (page - 1) * limit + 1
  const to = Math.min(page * limit, count ?? 0)
  const number = (value: number) => value.toLocaleString('en')
  return (
    <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1.5 border-t border-line bg-panel px-3 py-1.5 text-ink2">
      <span>
        <b className="font-semibold text-ink">{count === undefined ? '…' : number(count)}</b>{' '}
        {nouns[entity][count === 1 ? 0 : 1]}
      </span>
      {selection.size > 0 && (
        <span>
          · <b className="font-semibold text-ink">{number(selection.size)}</b> selected
          {selection.size > here && `, ${number(selection.size - here)} on other pages`}
        </span>
      )}
      {count !== undefined && count > (ids?.length ?? 0) && selection.size < count && (
        <button
          type="button"
          className="flex items-center gap-1.5 font-medium text-accent hover:underline"
          onClick={() => void run('list.selectAll')}
        >
          Select all {number(count)}
          <span className="hidden sm:block">
            <CommandKeys command={commandOf('list.selectAll')} />
          </span>
        </button>
      )}
      {selection.size > 0 && (
        <button
          type="button"
          className="font-medium text-accent hover:underline"
          onClick={() => void run('list.clearSelection')}
        >
          Clear
        </button>
      )}
      <span className="ml-auto flex items-center gap-2.5">
        <label className="flex items-center gap-2">
          <span className="hidden sm:inline">Rows</span>
          <select
            aria-label="Rows on a page"
            className="input !h-[30px] !px-1.5"
            value={limit}
            onChange={event => void run('list.limit', { input: { limit: Number(event.target.value) } })}
          >
            {limits.map(choice => (
              <option key={choice}>{choice}</option>
            ))}
          </select>
        </label>
        <span className="numeric">
          {number(from)}–{number(to)} of {count === undefined ? '…' : number(count)}
        </span>
        <CommandButton command={commandOf('list.previousPage')} iconOnly />
        <CommandButton command={commandOf('list.nextPage')} iconOnly />
      </span>
    </div>
  )
}
