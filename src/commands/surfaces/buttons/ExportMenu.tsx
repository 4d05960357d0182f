/** The export menu: for each kind of data, the file types. */
import { Menu, MenuButton, MenuHeading, MenuItem, MenuItems, MenuSection } from '@headlessui/react'
import { exportTypeNames, exportTypes } from '../../../domain/exportTable.ts'
import type { Entity } from '../../../store/lists.ts'
import { useSelection } from '../../../store/selection.ts'
import type { CommandId, InputOf } from '../../core/commandId.ts'
import type { Command } from '../../core/types.ts'
import { countOf } from '../../core/wording.ts'
import { commandsOn } from '../../core/registry.ts'
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
export function ExportMenu({ choices }: { choices: readonly ExportOption[] }) {
  const [first] = choices
  if (!first) return null
  return (
    <Menu>
      <MenuButton data-command={first.command.id} className="btn" title="Export">
        <Icon name="download" />
        <span className={menuName}>Export</span>
        <span className="hidden pl-1 sm:block">
          <CommandKeys command={first.command} />
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

/** What a command of the menu exports, and its input for that, except the file type. */
interface ExportChoice<Id extends CommandId> {
  readonly title: string
  readonly input: Omit<InputOf<Id>, 'type'>
}
type ExportChoices = { readonly [Id in CommandId]?: readonly ExportChoice<Id>[] }

/** The export menu of a list. Each command has its columns preset, and list.export is there for both. */
export function ListExportMenu({ entity }: { entity: Entity }) {
  const { size } = useSelection('devices')
  const choices: ExportChoices = {
    'list.export': [
      { title: 'All matches, visible columns', input: { columns: 'shown' } },
      { title: 'All matches, all columns', input: { columns: 'all' } },
    ],
    ...(entity === 'devices' &&
      size > 0 && {
        'device.export': [{ title: `${countOf(size, 'devices')} selected`, input: { columns: 'shown' } }],
      }),
  }
  const choicesOf: Readonly<Record<string, ExportChoices[CommandId]>> = choices
  return (
    <ExportMenu
      choices={commandsOn('listExport').flatMap(command =>
        (choicesOf[command.id] ?? []).map(choice => ({ command, ...choice })),
      )}
    />
  )
}
