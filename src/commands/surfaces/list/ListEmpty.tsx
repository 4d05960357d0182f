import { commandOf } from '../../commands.ts'
import { CommandButton } from '../buttons/CommandButton.tsx'
import { run } from '../run/run.ts'

/** What a list shows where there is nothing at all yet, and the command that changes that. */
export interface EmptyList {
  readonly text: string
  readonly command?: string
}

/** Nothing to list: either nothing matches, or there is nothing yet. */
export function ListEmpty({ search, empty: { text, command } }: { search: string; empty: EmptyList }) {
  return (
    <div className="grid justify-items-center gap-3">
      {search === '' ? (
        <>
          <p>{text}</p>
          {command && <CommandButton command={commandOf(command)} primary />}
        </>
      ) : (
        <>
          <p>
            Nothing matches <b className="text-ink">{search}</b>.
          </p>
          <button type="button" data-command="list.escape" className="btn" onClick={() => void run('list.escape')}>
            Clear the search
          </button>
        </>
      )}
    </div>
  )
}
