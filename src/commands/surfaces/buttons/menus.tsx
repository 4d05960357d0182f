/** Menus that drop down. Their library is loaded when the page is idle. */
import { Menu, MenuButton, MenuHeading, MenuItem, MenuItems, MenuSection } from '@headlessui/react'
import { useEffect, useMemo, useRef, type ComponentProps, type ReactNode } from 'react'
import { useSnapshot } from 'valtio'
import { columnVisible } from '../../../store/columns.ts'
import { lists, type Entity } from '../../../store/lists.ts'
import type { AnyItem } from '../../../store/selection.ts'
import type { Command } from '../../core/types.ts'
import { currentContext, appliesHere } from '../../core/context.ts'
import { nameOrCount } from '../../core/wording.ts'
import { commandsOn } from '../../core/registry.ts'
import { CommandKeys } from './CommandButton.tsx'
import { run, runCommand } from '../run/run.ts'
import { Icon } from './Icon.tsx'
import { useAvailability, useFromContext, useLabel } from '../run/live.ts'
import { menuEntry, menuName, menuSheet } from './menuLook.ts'
import { rowMenu } from '../../../store/rowMenu.ts'

/** Which columns are shown; it stays open while they are toggled. */
export function ColumnsMenu({
  entity,
  columns,
}: {
  entity: Entity
  columns: readonly { id: string; title: string }[]
}) {
  const { shown } = useSnapshot(lists[entity])
  return (
    <Menu>
      <MenuButton data-command="list.columns" className="btn" title="Columns">
        <Icon name="columns" />
        <span className={menuName}>Columns</span>
      </MenuButton>
      <MenuItems modal={false} anchor="bottom end" className={menuSheet}>
        {columns.map(column => {
          const visible = columnVisible(entity, { shown }, column.id)
          return (
            <MenuItem key={column.id}>
              <CheckEntry
                data-command="list.columns"
                checked={visible}
                className={menuEntry}
                onClick={event => {
                  event.preventDefault()
                  void run('list.columns', { input: { column: column.id } })
                }}
              >
                <span className="grid size-4 place-items-center text-accent">{visible && <Icon name="check" />}</span>
                {column.title}
              </CheckEntry>
            </MenuItem>
          )
        })}
      </MenuItems>
    </Menu>
  )
}

/** An entry that is on or off; its menu would call it a plain entry. */
function CheckEntry({ checked, ...given }: ComponentProps<'button'> & { checked: boolean }) {
  return <button type="button" {...given} role="menuitemcheckbox" aria-checked={checked} />
}

/** What ends the session stands last. */
const accountCommands = commandsOn('account').toSorted(
  (a, b) => Number(a.group === 'account') - Number(b.group === 'account'),
)

export function AccountMenu({ children }: { children: ReactNode }) {
  return (
    <Menu>
      <MenuButton className="flex items-center gap-2 rounded-md px-1 text-ink2 hover:text-ink" aria-label="Account">
        {children}
      </MenuButton>
      <MenuItems modal={false} anchor="bottom end" className={menuSheet}>
        {accountCommands.map(command => (
          <CommandItem key={command.id} command={command} />
        ))}
      </MenuItems>
    </Menu>
  )
}

/** An entry that gives a command: on these, where it acts on something and they are given. */
function CommandItem({ command, items }: { command: Command; items?: readonly AnyItem[] | undefined }) {
  const targets = command.entity && items
  const availability = useAvailability(command, targets)
  const label = useLabel(command, targets)
  if (availability.is === 'hidden') return null
  const reason = availability.is === 'blocked' ? availability.reason : undefined
  return (
    <MenuItem>
      <button
        type="button"
        data-command={command.id}
        className={`${menuEntry} ${reason ? 'text-ink3' : command.danger ? 'text-bad' : ''}`}
        aria-disabled={reason ? true : undefined}
        title={reason}
        onClick={() => void runCommand(command, targets && { targets })}
      >
        {/* Without an icon it keeps the room of one: all names stand in one line. */}
        <span className="size-[15px]">{command.icon && <Icon name={command.icon} />}</span>
        <span className="flex-1">{label}</span>
        <CommandKeys command={command} />
      </button>
    </MenuItem>
  )
}

const selectCommands = commandsOn('select')

/** All ways to select. */
export function SelectMenu() {
  return (
    <Menu>
      <MenuButton data-command="list.selectPage" className="btn !h-[26px] text-[12px]">
        Select
        <Icon name="down" />
      </MenuButton>
      <MenuItems modal={false} anchor="bottom end" className={menuSheet}>
        {selectCommands
          .filter(command => appliesHere(command, currentContext()))
          .map(command => (
            <CommandItem key={command.id} command={command} />
          ))}
      </MenuItems>
    </Menu>
  )
}

/** What destroys comes last. */
const rowCommands = commandsOn('row').toSorted((a, b) => Number(a.danger ?? false) - Number(b.danger ?? false))

/** The commands on a row, or on the selection where the row is one of it; its head names which. */
export function RowMenu() {
  const { at } = useSnapshot(rowMenu)
  // What is in a snapshot is read only; the row is none of it.
  return at ? <RowMenuAt key={`${at.x} ${at.y}`} {...at} row={at.row as AnyItem | undefined} /> : null
}

function RowMenuAt({ x, y, entity, row }: NonNullable<(typeof rowMenu)['at']>) {
  const button = useRef<HTMLButtonElement>(null)
  const items = useMemo(() => row && [row], [row])
  const name = useFromContext(({ targets }) => nameOrCount(items ?? targets(entity), entity))
  // The menu opens from its button only, so the button is put under the pointer and pressed.
  useEffect(() => button.current?.click(), [])
  return (
    <Menu>
      {({ open }) => (
        <>
          <MenuButton
            ref={button}
            tabIndex={-1}
            aria-label={`Actions for ${name}`}
            className="pointer-events-none fixed size-px opacity-0"
            style={{ left: x, top: y }}
          />
          {open && <OnClose x={x} y={y} />}
          <MenuItems
            modal={false}
            anchor="bottom start"
            className={menuSheet}
            // The menu key may ask once more when it is let go.
            onContextMenu={event => event.preventDefault()}
          >
            <MenuSection>
              <MenuHeading className="truncate px-2.5 py-1 text-[11px] font-semibold text-ink2">{name}</MenuHeading>
              {rowCommands
                .filter(command => appliesHere(command, currentContext()))
                .map(command => (
                  <CommandItem key={command.id} command={command} items={items} />
                ))}
            </MenuSection>
          </MenuItems>
        </>
      )}
    </Menu>
  )
}

/** Gives the focus back to the row once the menu has closed; one that was opened elsewhere meanwhile stays. */
function OnClose({ x, y }: { x: number; y: number }) {
  useEffect(
    () => () => {
      if (rowMenu.at && (rowMenu.at.x !== x || rowMenu.at.y !== y)) return
      rowMenu.at = undefined
      focusRow()
      // The library gives it to the menu's button after that, which goes away with it.
      setTimeout(() => {
        if (document.activeElement === document.body) focusRow()
      })
    },
    [x, y],
  )
  return null
}

const focusRow = () => document.querySelector<HTMLElement>('[role=row][tabindex="0"]')?.focus({ preventScroll: true })
