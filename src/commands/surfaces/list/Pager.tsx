import { memo } from 'react'
import { useSnapshot } from 'valtio'
import { formatMatches } from '../../../domain/format.ts'
import { nounsOf } from '../../../domain/lists/lists.ts'
import { limits, lists, type Entity } from '../../../store/lists.ts'
import { SurfaceButtons } from '../buttons/SurfaceButtons.tsx'
import { run } from '../run/run.ts'

interface PagerProps {
  readonly entity: Entity
  readonly count: number | undefined
  /** Whether the count is an estimate. */
  readonly isEstimate?: boolean
}

/** Shows the number of rows and the current page, with controls to change the page and its size. */
export const Pager = memo(function Pager({ entity, count, isEstimate }: PagerProps) {
  const { page, limit } = useSnapshot(lists[entity])
  const from = (page - 1) * limit + 1
  const to = Math.min(page * limit, count ?? 0)
  const matches = count === undefined ? '…' : formatMatches(count, isEstimate)
  return (
    <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1.5 border-t border-line bg-panel px-3 py-1.5 text-ink2">
      <span>
        <b className="font-semibold text-ink">{matches}</b>{' '}
        <span className="max-sm:sr-only">{nounsOf(entity)[count === 1 ? 0 : 1]}</span>
      </span>
      <span className="ml-auto flex items-center gap-2.5">
        <label className="flex items-center gap-2">
          <span className="hidden sm:inline">Rows</span>
          <select
            data-command="list.limit"
            aria-label="Rows per page"
            className="input !h-[30px] !px-1.5"
            value={limit}
            onChange={event => {
              const next = limits.find(option => String(option) === event.target.value)
              if (next) void run('list.limit', { input: { limit: next } })
            }}
          >
            {limits.map(option => (
              <option key={option}>{option}</option>
            ))}
          </select>
        </label>
        {count !== 0 && (
          <span className="numeric">
            {formatMatches(from)}–{formatMatches(to)} of {matches}
          </span>
        )}
        <SurfaceButtons on="pager" iconOnly />
      </span>
    </div>
  )
})
