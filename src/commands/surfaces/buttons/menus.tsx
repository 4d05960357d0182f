/** Drop-down menus. Loaded when the page is idle, because of the library that they use. */
import { Menu, MenuButton, MenuHeading, MenuItem, MenuItems, MenuSection } from '@headlessui/react'
import { useEffect, useMemo, useRef, type ComponentProps, type ReactNode } from 'react'
import { useSnapshot } from 'valtio'
import { isColumnVisible, orderedColumns } from '../../../store/columns.ts'
import { lists, type Entity, type ListState } from '../../../store/lists.ts'
import type { AnyItem } from '../../../store/selection.ts'
import type { Command } from '../../core/types.ts'
import { currentContext, appliesHere, leadsHere } from '../../core/context.ts'
import { nameOrCount } from '../../core/wording.ts'
import { commandsOn } from '../../core/registry.ts'
import { CommandKeys } from './CommandButton.tsx'
import { run, runCommand } from '../run/run.ts'
import { Icon } from './Icon.tsx'
import { useAvailability, useContextValue, useLabel, useLeadsHere } from '../run/commandHooks.ts'
import { MenuElement } from './MenuElement.tsx'
import { menuEntry, menuName, menuSheet } from './menuLook.ts'
import { rowMenu } from '../../../store/rowMenu.ts'

const arrangingCommands = commandsOn('columns')

/** A menu that shows and hides columns, and stays open while they are toggled; below are commands that arrange them. */
export function ColumnsMenu({
  entity,
  columns,
}: {
  entity: Entity
  columns: readonly { id: string; title: string }[]
}) {
  const { shown, order, pinned } = useSnapshot(lists[entity]) as ListState
  const byId = new Map(columns.map(column => [column.id, column]))
  return (
    <Menu>
      <MenuButton data-command="list.columns" className="btn" title="Columns">
        <Icon name="columns" />
        <span className={menuName}>Columns</span>
      </MenuButton>
      <MenuItems as={MenuElement} modal={false} anchor="bottom end" className={menuSheet}>
        {orderedColumns(entity, { order, pinned }).map(id => {
          const column = byId.get(id)
          if (!column) return null
          const visible = isColumnVisible(entity, { shown }, column.id)
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
        <div className="sticky -bottom-1 -mx-1 -mb-1 border-t border-line bg-panel p-1">
          {arrangingCommands.map(command => (
            <CommandItem key={command.id} command={command} />
          ))}
        </div>
      </MenuItems>
    </Menu>
  )
}

/** A menu item that is checked or not; sets the role after Headless UI's own, which is menuitem. */
function CheckEntry({ checked, ...rest }: ComponentProps<'button'> & { checked: boolean }) {
  return <button type="button" {...rest} role="menuitemcheckbox" aria-checked={checked} />
}

/** The commands of the account menu; those of the group account, such as signing out, are last. */
const accountCommands = commandsOn('account').toSorted(
  (a, b) => Number(a.group === 'account') - Number(b.group === 'account'),
)

export function AccountMenu({ login, children }: { login: string | null; children: ReactNode }) {
  const isCurrent = useContextValue(context => accountCommands.some(command => leadsHere(command, context)))
  return (
    <Menu>
      <MenuButton
        data-command="session.logout"
        className={`flex items-center gap-2 rounded-md px-1 hover:text-ink ${isCurrent ? 'text-accent' : 'text-ink2'}`}
        aria-current={isCurrent ? 'page' : undefined}
        aria-label={`Account ${login ?? ''}`.trim()}
      >
        {children}
      </MenuButton>
      <MenuItems as={MenuElement} modal={false} anchor="bottom end" className={menuSheet}>
        {accountCommands.map(command => (
          <CommandItem key={command.id} command={command} />
        ))}
      </MenuItems>
    </Menu>
  )
}

/** A menu item that runs a command, on `items` if they are given and the command has targets. */
function CommandItem({ command, items }: { command: Command; items?: readonly AnyItem[] | undefined }) {
  const targets = command.entity && items
  const availability = useAvailability(command, targets)
  const label = useLabel(command, targets)
  const isCurrent = useLeadsHere(command)
  if (availability.is === 'hidden') return null
  const reason = availability.is === 'blocked' ? availability.reason : undefined
  const tone = isCurrent ? 'font-medium text-accent' : reason ? 'text-ink3' : command.danger ? 'text-bad' : ''
  return (
    <MenuItem>
      <button
        type="button"
        data-command={command.id}
        className={`${menuEntry} ${tone}`}
        aria-current={isCurrent ? 'page' : undefined}
        aria-disabled={reason ? true : undefined}
        title={reason}
        onClick={() => void runCommand(command, targets && { targets, source: 'The row of the menu' })}
      >
        {/* Reserves the space of an icon, so that all labels are aligned. */}
        <span className="size-[15px]">{command.icon && <Icon name={command.icon} />}</span>
        <span className="flex-1">{label}</span>
        <CommandKeys command={command} />
      </button>
    </MenuItem>
  )
}

/** A menu of the commands for which a narrow toolbar has no room. */
export function MoreMenu({ commands }: { commands: readonly Command[] }) {
  return (
    <Menu>
      <MenuButton data-command={commands[0]?.id} className="icon-btn" aria-label="More" title="More">
        <Icon name="more" />
      </MenuButton>
      <MenuItems as={MenuElement} modal={false} anchor="bottom end" className={menuSheet}>
        {commands.map(command => (
          <CommandItem key={command.id} command={command} />
        ))}
      </MenuItems>
    </Menu>
  )
}

const selectCommands = commandsOn('select')

/** A menu of all commands that change the selection. */
export function SelectMenu() {
  return (
    <Menu>
      <MenuButton data-command="list.selectPage" className="btn !h-[26px] text-[12px]">
        Select
        <Icon name="down" />
      </MenuButton>
      <MenuItems as={MenuElement} modal={false} anchor="bottom end" className={menuSheet}>
        {selectCommands
          .filter(command => appliesHere(command, currentContext()))
          .map(command => (
            <CommandItem key={command.id} command={command} />
          ))}
      </MenuItems>
    </Menu>
  )
}

/** The commands of the row menu, destructive ones last. */
const rowCommands = commandsOn('row').toSorted((a, b) => Number(a.danger ?? false) - Number(b.danger ?? false))

/** The context menu of a row: commands on the row, or on the selection if the row is part of it. */
export function RowMenu() {
  const { at } = useSnapshot(rowMenu)
  // The cast removes the snapshot's readonly; the row itself is not proxied.
  return at ? <RowMenuAt key={`${at.x} ${at.y}`} {...at} row={at.row as AnyItem | undefined} /> : null
}

function RowMenuAt({ x, y, entity, row }: NonNullable<(typeof rowMenu)['at']>) {
  const button = useRef<HTMLButtonElement>(null)
  const items = useMemo(() => row && [row], [row])
  const name = useContextValue(({ targets }) => nameOrCount(items ?? targets(entity), entity))
  // Headless UI opens a menu only by its button, so an invisible button at the pointer is clicked.
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
          {open && <RestoreFocus x={x} y={y} />}
          <MenuItems
            as={MenuElement}
            modal={false}
            anchor="bottom start"
            className={menuSheet}
            // The menu key can fire a second contextmenu event on release.
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

/** Closes the row menu's state and focuses the row again at unmount, unless the menu was opened at another row. */
function RestoreFocus({ x, y }: { x: number; y: number }) {
  useEffect(
    () => () => {
      if (rowMenu.at && (rowMenu.at.x !== x || rowMenu.at.y !== y)) return
      rowMenu.at = undefined
      focusRow()
      // Headless UI then focuses the menu's button, which is removed and leaves the focus on the body.
      setTimeout(() => {
        if (document.activeElement === document.body) focusRow()
      })
    },
    [x, y],
  )
  return null
}

const focusRow = () => document.querySelector<HTMLElement>('[role=row][tabindex="0"]')?.focus({ preventScroll: true })
