/** The export menu: for each kind of data, the file types. */
import { Menu, MenuButton, MenuHeading, MenuItem, MenuItems, MenuSection } from '@headlessui/react'
import { exportTypeNames, exportTypes } from '../../../domain/exportTable.ts'
import type { Entity } from '../../../store/lists.ts'
import { useSelection } from '../../../store/selection.ts'
import type { Command } from '../../core/types.ts'
import { countOf } from '../../core/wording.ts'
import { commandOf } from '../../core/registry.ts'
import { CommandKeys } from './CommandButton.tsx'
import { Icon } from './Icon.tsx'
import { useAvailability } from '../run/commandHooks.ts'
import { MenuElement } from './MenuElement.tsx'
import { menuEntry, menuName, menuSheet } from './menuLook.ts'
import { runCommand } from '../run/run.ts'

interface ExportOption {
  readonly command: Command
  /** The heading of the file types: the name of the exported data. */
  readonly title: string
  /** The command's input, except the file type. */
  readonly input?: Readonly<Record<string, unknown>>
}

/** A menu of export options; its button shows the key of the first option's command. */
export function ExportMenu({ choices }: { choices: readonly [ExportOption, ...ExportOption[]] }) {
  return (
    <Menu>
      <MenuButton data-command={choices[0].command.id} className="btn" title="Export">
        <Icon name="download" />
        <span className={menuName}>Export</span>
        <span className="hidden pl-1 sm:block">
          <CommandKeys command={choices[0].command} />
        </span>
      </MenuButton>
      <MenuItems as={MenuElement} modal={false} anchor="bottom end" className={menuSheet}>
        {choices.map(choice => (
          <FileTypes key={choice.title} {...choice} />
        ))}
      </MenuItems>
    </Menu>
  )
}

function FileTypes({ command, title, input }: ExportOption) {
  const availability = useAvailability(command)
  if (availability.is === 'hidden') return null
  return (
    <MenuSection className="border-line not-first:mt-1 not-first:border-t not-first:pt-1">
      <MenuHeading className="px-2.5 py-1 text-[11px] font-semibold text-ink2">{title}</MenuHeading>
      {exportTypes.map(type => (
        <MenuItem key={type}>
          <button
            type="button"
            data-command={command.id}
            className={menuEntry}
            onClick={() => void runCommand(command, { input: { ...input, type } })}
          >
            {exportTypeNames[type]}
          </button>
        </MenuItem>
      ))}
    </MenuSection>
  )
}

// Not drawn from a surface, because each command appears with preset columns, and list.export twice.
const list = commandOf('list.export')
const selected = commandOf('device.export')

export function ListExportMenu({ entity }: { entity: Entity }) {
  const { size } = useSelection('devices')
  return (
    <ExportMenu
      choices={[
        { command: list, title: 'All matches, visible columns', input: { columns: 'shown' } },
        { command: list, title: 'All matches, all columns', input: { columns: 'all' } },
        ...(entity === 'devices' && size > 0
          ? [{ command: selected, title: `${countOf(size, 'devices')} selected`, input: { columns: 'shown' } }]
          : []),
      ]}
    />
  )
}
