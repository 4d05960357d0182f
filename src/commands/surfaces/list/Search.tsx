/** The search of a list's toolbar: its column and operator, and its text. */
import { useEffect, useRef, useState } from 'react'
import { useSnapshot } from 'valtio'
import { columnsOf } from '../../../api/lists.ts'
import { operatorNames, operators } from '../../../domain/lists/query.ts'
import { columnLabel } from '../../../domain/lists/lists.ts'
import { lists, setSearch, type Entity } from '../../../store/lists.ts'
import { moveFocusToHeading } from '../../../ui/focus/moveFocusToHeading.ts'
import { currentContext } from '../../core/context.ts'
import { focusWhenLoaded } from '../../core/listRows.ts'
import { commandOf } from '../../core/registry.ts'
import { ariaKeys } from '../../keys/keymap.ts'
import { CommandKeys } from '../buttons/CommandButton.tsx'
import { Icon } from '../buttons/Icon.tsx'
import { useKeysOf } from '../run/commandHooks.ts'
import { run } from '../run/run.ts'

/** Milliseconds between two searches while the person types; the first letter is searched for at once. */
const searchInterval = 90

/** The selects are as wide as their chosen option, which leaves the rest of the row to the search field. */
const selectClass = 'input !h-[30px] !px-1.5 max-sm:grow sm:field-sizing-content sm:max-w-32 @2xl:min-w-16 @2xl:shrink'

/** The column and the operator of the search. */
export function SearchBy({ entity }: { entity: Entity }) {
  const { column, operator } = useSnapshot(lists[entity])
  return (
    <>
      <select
        data-command="list.searchBy"
        aria-label="Search column"
        className={selectClass}
        value={column ?? columnsOf(entity).search}
        onChange={event => void run('list.searchBy', { input: { column: event.target.value } })}
      >
        {Object.keys(columnsOf(entity).kinds).map(id => (
          <option key={id} value={id}>
            {columnLabel(entity, id)}
          </option>
        ))}
      </select>
      <select
        data-command="list.searchBy"
        aria-label="Search operator"
        className={selectClass}
        value={operator}
        onChange={event =>
          void run('list.searchBy', { input: { operator: operators.find(id => id === event.target.value) } })
        }
      >
        {operators.map(id => (
          <option key={id} value={id}>
            {operatorNames[id]}
          </option>
        ))}
      </select>
    </>
  )
}

/** The text of the search, which searches while the person types. */
export function SearchField({ entity }: { entity: Entity }) {
  const state = lists[entity]
  const { search } = useSnapshot(state)
  const [text, setText] = useState(search)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const searchedAt = useRef(0)
  const [keys] = useKeysOf(commandOf('list.focusSearch'))

  // Follows changes from elsewhere: a command or signing out has cleared the search.
  useEffect(() => {
    if (timer.current === undefined) setText(search)
  }, [search])

  const searchNow = (next: string) => {
    clearTimeout(timer.current)
    timer.current = undefined
    searchedAt.current = performance.now()
    setSearch(state, next)
  }
  const searchThrottled = (next: string) => {
    setText(next)
    clearTimeout(timer.current)
    const elapsed = performance.now() - searchedAt.current
    if (elapsed > searchInterval) searchNow(next)
    else timer.current = setTimeout(() => searchNow(next), searchInterval - elapsed)
  }
  // If the rows have not loaded yet, the first one receives the focus once they have.
  const enterList = () => {
    searchNow(text)
    const { list } = currentContext()
    if (list && list.rows.length === 0) focusWhenLoaded(list, 0)
    else void run('list.first')
  }

  return (
    <div className="relative min-w-0 flex-1 sm:min-w-[236px]">
      <span className="pointer-events-none absolute inset-y-0 left-2.5 grid place-items-center text-ink3">
        <Icon name="search" />
      </span>
      <input
        data-list-search
        data-command="list.focusSearch"
        type="search"
        aria-label="Search"
        aria-keyshortcuts={ariaKeys(keys)}
        placeholder="Search"
        maxLength={200}
        className="input !h-[30px] w-full pl-8 @4xl:pr-8 [&::-webkit-search-cancel-button]:hidden"
        value={text}
        onChange={event => searchThrottled(event.target.value)}
        onKeyDown={event => {
          if (event.nativeEvent.isComposing) return
          if (event.key === 'Escape') {
            // The first Esc clears the search, the next one leaves the field.
            event.preventDefault()
            if (text !== '') searchThrottled('')
            else moveFocusToHeading(event.currentTarget)
          }
          if (event.key === 'Enter' || event.key === 'ArrowDown') {
            event.preventDefault()
            moveFocusToHeading(event.currentTarget)
            enterList()
          }
        }}
      />
      <span className="pointer-events-none absolute inset-y-0 right-2 hidden place-items-center sm:grid">
        <CommandKeys command={commandOf('list.focusSearch')} />
      </span>
    </div>
  )
}
