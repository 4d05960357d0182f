import type { CommandId } from '../../core/commandId.ts'
import { commandOf } from '../../core/registry.ts'
import { CommandButton, CommandKeys } from '../buttons/CommandButton.tsx'
import { run } from '../run/run.ts'

/** The empty state of a list without any rows, and a command that creates the first one. */
export interface EmptyList {
  readonly text: string
  readonly command?: CommandId
}

interface Props {
  search: string
  /** The name of the column that is searched. */
  column: string
  empty: EmptyList
}

/** Shows that no row matches the search, or, without a search, the list's empty state. */
export function ListEmpty({ search, column, empty: { text, command } }: Props) {
  return (
    <div className="grid justify-items-center gap-3">
      {search === '' ? (
        <>
          <p>{text}</p>
          {command && <CommandButton command={commandOf(command)} primary />}
          <p className="text-[12px] text-ink3 phone:hidden">
            Press <CommandKeys command={commandOf('view.keys')} /> for all keys.
          </p>
        </>
      ) : (
        <>
          <p>
            Nothing matches <b className="text-ink">{search}</b> in <b className="font-medium text-ink">{column}</b>.
          </p>
          <button type="button" data-command="list.escape" className="btn" onClick={() => void run('list.escape')}>
            Clear search <CommandKeys command={commandOf('list.escape')} />
          </button>
        </>
      )}
    </div>
  )
}
