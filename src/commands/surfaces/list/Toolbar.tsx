import { Suspense, useEffect, useId, useRef, useState } from 'react'
import { useSnapshot } from 'valtio'
import { columnsOf } from '../../../api/lists.ts'
import { operatorNames, operators } from '../../../api/contract/endpoint.ts'
import { columnName } from '../../../domain/lists/lists.ts'
import { narrow } from '../../../store/layout.ts'
import { lists, setSearch, type Entity } from '../../../store/lists.ts'
import type { Column } from '../../../ui/table/column.ts'
import { moveFocusToHeading } from '../../../ui/focus/moveFocusToHeading.ts'
import { useMediaQuery } from '../../../ui/useMediaQuery.ts'
import { currentContext } from '../../core/context.ts'
import type { IconName } from '../../core/iconName.ts'
import { commandOf, commandsOn } from '../../core/registry.ts'
import { ariaKeys } from '../../keys/keymap.ts'
import { focusWhenLoaded } from '../../core/listRows.ts'
import { CommandButton, CommandKeys } from '../buttons/CommandButton.tsx'
import { lazyAfterRows } from '../run/lazyComponent.ts'
import { run } from '../run/run.ts'
import { Icon } from '../buttons/Icon.tsx'
import { useKeysOf } from '../run/commandHooks.ts'
import { menuName } from '../buttons/menuLook.ts'

const ColumnsMenu = lazyAfterRows(
  () => import('../buttons/menus.tsx'),
  module => module.ColumnsMenu,
)
const MoreMenu = lazyAfterRows(
  () => import('../buttons/menus.tsx'),
  module => module.MoreMenu,
)
const ExportMenu = lazyAfterRows(
  () => import('../buttons/ExportMenu.tsx'),
  module => module.ListExportMenu,
)

/** Milliseconds between two searches while the person types; the first letter is searched for at once. */
const searchInterval = 90

/**
 * The toolbar of a list: search, columns, export, create. On narrow screens it has a single line: a button opens the
 * choice of what to search by, and a menu has the other commands.
 */
export function Toolbar<Row>(props: { entity: Entity; columns: readonly Column<Row>[] }) {
  const isNarrow = useMediaQuery(narrow.navigation)
  return (
    <div role="search" className="@container border-b border-line bg-panel">
      {isNarrow ? <NarrowToolbar entity={props.entity} /> : <WideToolbar {...props} />}
    </div>
  )
}

/** Keys are hidden before the menus lose their names, so that beside the panel the names stay. */
function WideToolbar<Row>({ entity, columns }: { entity: Entity; columns: readonly Column<Row>[] }) {
  return (
    <div className="flex flex-wrap items-center gap-2 px-3 py-2 @2xl:flex-nowrap @max-4xl:[&_span:has(kbd)]:hidden [&>button]:shrink-0">
      <SearchBy entity={entity} />
      <SearchField entity={entity} />
      <Suspense fallback={<FallbackButton icon="columns" label="Columns" />}>
        <ColumnsMenu entity={entity} columns={columns} />
      </Suspense>
      <Suspense fallback={<FallbackButton icon="download" label="Export" />}>
        <ExportMenu entity={entity} />
      </Suspense>
      {toolbarCommands(entity).map(command => (
        <CommandButton key={command.id} command={command} label="Create" />
      ))}
      {commandsOn('panelToggle').map(command => (
        <CommandButton key={command.id} command={command} iconOnly />
      ))}
    </div>
  )
}

function NarrowToolbar({ entity }: { entity: Entity }) {
  const { column, operator } = useSnapshot(lists[entity])
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  const isDefault = (column ?? columnsOf(entity).search) === columnsOf(entity).search && operator === 'co'
  const more = [...toolbarCommands(entity), ...commandsOn('listMore')].filter(
    command => !command.entity || command.entity === entity,
  )
  return (
    <>
      <div className="flex items-center gap-1 px-3 py-[3px]">
        <SearchField entity={entity} />
        <button
          type="button"
          data-command="list.searchBy"
          aria-label="Search by column and operator"
          aria-expanded={isOpen}
          aria-controls={isOpen ? id : undefined}
          className={`icon-btn ${isDefault ? '' : 'bg-accent-soft !text-accent'}`}
          onClick={() => setOpen(!isOpen)}
        >
          <Icon name="filter" />
        </button>
        {commandsOn('panelToggle').map(command => (
          <CommandButton key={command.id} command={command} iconOnly />
        ))}
        <Suspense fallback={<span className="size-10" />}>
          <MoreMenu commands={more} />
        </Suspense>
      </div>
      {isOpen && (
        <div id={id} className="flex gap-2 px-3 pb-1.5">
          <SearchBy entity={entity} />
        </div>
      )}
    </>
  )
}

const toolbarCommands = (entity: Entity) => commandsOn('toolbar').filter(command => command.entity === entity)

/** The selects are as wide as their chosen option, which leaves the rest of the row to the search field. */
const selectClass = 'input !h-[30px] !px-1.5 max-sm:grow sm:field-sizing-content sm:max-w-32 @2xl:min-w-16 @2xl:shrink'

/** The column and the operator of the search. */
function SearchBy({ entity }: { entity: Entity }) {
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
            {columnName(entity, id)}
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

/** A placeholder for a menu's button while the menu's code loads. */
const FallbackButton = ({ icon, label }: { icon: IconName; label: string }) => (
  <span className="btn">
    <Icon name={icon} />
    <span className={menuName}>{label}</span>
  </span>
)

function SearchField({ entity }: { entity: Entity }) {
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
