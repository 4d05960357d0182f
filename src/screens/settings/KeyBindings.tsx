import { memo, useRef, useState } from 'react'
import { useSnapshot } from 'valtio'
import type { Command } from '../../commands/core/types.ts'
import { currentContext } from '../../commands/core/context.ts'
import { groups, type Group } from '../../commands/core/presentation.ts'
import { searchBindable } from '../../commands/keys/conflicts.ts'
import { isApple } from '../../store/platform.ts'
import { keycaps } from '../../commands/keys/keymap.ts'
import { defaultKeysOf } from '../../commands/keys/bindings.ts'
import { displayName } from '../../commands/core/displayName.ts'
import { SurfaceButtons } from '../../commands/surfaces/buttons/SurfaceButtons.tsx'
import { Icon } from '../../commands/surfaces/buttons/Icon.tsx'
import { useAssignedKeysOf } from '../../commands/surfaces/run/commandHooks.ts'
import { run } from '../../commands/surfaces/run/run.ts'
import type { IconName } from '../../domain/iconName.ts'
import { preferences } from '../../store/preferences.ts'
import { useFocusAfterRemoval } from '../../ui/focus/focusAfterRemoval.ts'
import { moveInGrid } from '../../ui/focus/gridKeys.ts'
import { FieldRow, SegmentedControl } from '../../ui/controls.tsx'
import { Kbd } from '../../ui/Kbd.tsx'

const onOrOff = [
  { value: true, name: 'On', command: 'view.bareKeys' },
  { value: false, name: 'Off', command: 'view.bareKeys' },
]

const actions = ['keys.change', 'keys.clear', 'keys.reset'] as const
type Action = (typeof actions)[number]
/** A button of the list: the command of its row, and the action that it runs. */
interface RowButton {
  readonly command: string
  readonly action: Action
}

/** All commands with their keys, which can be searched, changed, removed and reset. */
export function KeyBindings() {
  const { bareKeys, keys } = useSnapshot(preferences)
  const [query, setQuery] = useState('')
  const [lastFocused, setLastFocused] = useState<RowButton>()
  const table = useRef<HTMLTableElement>(null)
  // A command whose keys are removed may no longer match the search.
  useFocusAfterRemoval(table, 'button', 'keys-search')
  const visibleCommands = searchBindable(currentContext(), query)
  const rows = (Object.keys(groups) as Group[]).map(group => ({
    group,
    commands: visibleCommands.filter(command => command.group === group),
  }))
  // Tab reaches the button that was focused last, or the first one.
  const first = rows.flatMap(({ commands }) => commands)[0]
  const isShown = visibleCommands.some(({ id }) => id === lastFocused?.command)
  const tabStop = isShown ? lastFocused : first && { command: first.id, action: 'keys.change' as const }
  const changed = Object.keys(keys).length
  return (
    <section aria-labelledby="keys" className="min-w-0 rounded-lg border border-line bg-panel p-4">
      <div className="flex flex-wrap items-center gap-2">
        <h2 id="keys" className="flex-1 text-[13px] font-semibold tracking-tight">
          Keys
        </h2>
        <div className="flex flex-wrap gap-2">
          <SurfaceButtons
            on="keys"
            overrides={{ 'keys.export': { label: 'Export' }, 'keys.import': { label: 'Import' } }}
          />
        </div>
      </div>
      <p className="mt-0.5 mb-3.5 text-ink2">
        {changed === 0
          ? 'All commands have their default keys.'
          : `${changed} ${changed === 1 ? 'command has' : 'commands have'} custom keys.`}
      </p>
      <div className="max-w-[25rem]">
        <FieldRow
          label="Single-key shortcuts"
          hint="When off, only keys with a modifier run commands. The palette still lists all commands."
        >
          {({ labelId }) => (
            <SegmentedControl
              labelId={labelId}
              options={onOrOff}
              value={bareKeys}
              onChange={value => value !== bareKeys && void run('view.bareKeys')}
            />
          )}
        </FieldRow>
      </div>
      <input
        id="keys-search"
        type="search"
        data-keys-search
        data-command="keys.find"
        aria-label="Search commands and keys"
        placeholder="Search commands and keys"
        className="input mt-4 w-full max-w-[25rem]"
        value={query}
        onChange={event => setQuery(event.target.value)}
      />
      {visibleCommands.length === 0 ? (
        <p className="mt-4 text-ink2">No commands or keys match.</p>
      ) : (
        <>
          <p id="keys-hint" className="mt-2 text-[12px] text-ink3">
            Use ↑ ↓ to move, ← → for actions.
          </p>
          <table
            ref={table}
            // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role -- ARIA in HTML allows it
            role="grid"
            aria-label="Keys of commands"
            aria-describedby="keys-hint"
            className="mt-1 w-full border-collapse"
            onKeyDown={moveInGrid}
            onFocus={({ target }) => {
              const action = actions.find(id => id === target.dataset.command)
              const command = target.closest<HTMLElement>('[data-row]')?.dataset.row
              if (action && command !== undefined) setLastFocused({ command, action })
            }}
          >
            <thead className="sr-only">
              <tr>
                <th scope="col">Command</th>
                <th scope="col">Keys</th>
                <th scope="col">Change</th>
              </tr>
            </thead>
            {rows.map(({ group, commands }) => (
              <GroupRows key={group} group={group} commands={commands} tabStop={tabStop} />
            ))}
          </table>
        </>
      )}
    </section>
  )
}

function GroupRows(props: { group: Group; commands: readonly Command[]; tabStop: RowButton | undefined }) {
  const { group, commands, tabStop } = props
  if (commands.length === 0) return null
  return (
    <tbody>
      <tr>
        <th
          scope="rowgroup"
          colSpan={3}
          className="pt-4 pb-1 text-left text-[10.5px] font-semibold tracking-wide text-ink3 uppercase"
        >
          {groups[group]}
        </th>
      </tr>
      {commands.map(command => (
        <CommandRow
          key={command.id}
          command={command}
          tabStop={tabStop?.command === command.id ? tabStop.action : undefined}
        />
      ))}
    </tbody>
  )
}

/**
 * A row of the grid; `tabStop` is the button in it that Tab reaches, if any. Memoized, because a move of the focus changes only two
 * rows.
 */
const CommandRow = memo(function CommandRow(props: { command: Command; tabStop: Action | undefined }) {
  const { command, tabStop } = props
  const keys = useAssignedKeysOf(command)
  const name = displayName(command)
  const changed = keys.join() !== defaultKeysOf(command).join()
  return (
    <tr data-row={command.id} className="border-b border-line hover:bg-sunk">
      <th scope="row" className="py-1 pr-2 text-left font-normal">
        {name}
        {changed && (
          <>
            {' '}
            <span className="ml-1 text-[11px] font-medium text-accent">changed</span>
          </>
        )}
      </th>
      <td className="py-1 pr-2">
        <span className="flex flex-wrap justify-end gap-x-3 gap-y-1">
          {keys.map(one => (
            <span key={one}>
              <span className="sr-only">{one}</span>
              <Kbd caps={keycaps(one, isApple())} />
            </span>
          ))}
          {keys.length === 0 && <span className="text-ink3">–</span>}
        </span>
      </td>
      <td className="w-[96px] py-0.5">
        <span className="flex justify-end">
          <RowAction
            icon="edit"
            label={`Change the keys of ${name}`}
            id="keys.change"
            command={command}
            tabStop={tabStop}
          />
          <RowAction
            icon="close"
            label={`Remove the keys of ${name}`}
            id="keys.clear"
            command={command}
            tabStop={tabStop}
            off={keys.length === 0}
          />
          <RowAction
            icon="reset"
            label={`Reset the keys of ${name}`}
            id="keys.reset"
            command={command}
            tabStop={tabStop}
            off={!changed}
          />
        </span>
      </td>
    </tr>
  )
})

/** A row's button. Disabled by `aria-disabled` only, so that it can keep the focus. */
function RowAction(props: {
  icon: IconName
  label: string
  id: Action
  command: Command
  /** The button of the row that Tab reaches. */
  tabStop: Action | undefined
  off?: boolean
}) {
  const { icon, label, id, command, off = false } = props
  return (
    <button
      type="button"
      data-command={id}
      tabIndex={props.tabStop === id ? 0 : -1}
      aria-label={label}
      title={label}
      aria-disabled={off ? true : undefined}
      className={`icon-btn ${off ? 'cursor-default !text-line' : ''}`}
      onClick={() => !off && void run(id, { input: { command: command.id } })}
    >
      <Icon name={icon} size={14} />
    </button>
  )
}
