import type { ReactNode } from 'react'
import { run } from '../run/run.ts'

/** Nothing to list: either nothing matches, or there is nothing yet. */
export function ListEmpty({ search, whenNone }: { search: string; whenNone: ReactNode }) {
  if (search === '') return <>{whenNone}</>
  return (
    <div className="grid justify-items-center gap-3">
      <p>
        Nothing matches <b className="text-ink">{search}</b>.
      </p>
      <button type="button" data-command="list.escape" className="btn" onClick={() => void run('list.escape')}>
        Clear the search
      </button>
    </div>
  )
}
