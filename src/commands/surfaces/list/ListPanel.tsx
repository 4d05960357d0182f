import type { ComponentProps, ReactNode } from 'react'
import { useSnapshot } from 'valtio'
import { nounsOf } from '../../../domain/lists/lists.ts'
import { drafts, saveDraft } from '../../../store/drafts.ts'
import { layout, narrow, type PanelTab } from '../../../store/layout.ts'
import type { Entity } from '../../../store/lists.ts'
import { isPlaceholder, type AnyItem } from '../../../store/selection.ts'
import { useRole } from '../../../store/session.ts'
import { useMediaQuery } from '../../../ui/useMediaQuery.ts'
import { Panel } from '../../../ui/Panel.tsx'
import type { Command } from '../../core/types.ts'
import type { Surface } from '../../core/presentation.ts'
import { takesFile } from '../../core/takesFile.ts'
import { countOf, nameOrCount } from '../../core/wording.ts'
import { commandsOn } from '../../core/registry.ts'
import { CommandButton } from '../buttons/CommandButton.tsx'
import { CommandForm } from '../forms/CommandForm.tsx'

/** What the forms of commands show at first, by command and field. */
export type FormValues = Readonly<Record<string, Readonly<Record<string, unknown>>>>

/** The side panel of a list: what is selected, or the focused row, and every command on it by its section. */
export function ListPanel(props: {
  entity: Entity
  targets: readonly AnyItem[]
  /** The one that it is for whether it has arrived or not; left out where that is whatever is selected. */
  about?: string | undefined
  width: number
  onClose: () => void
  head?: ReactNode
  /** What is known of it; left out where the screen itself tells, and then nothing is created here either. */
  info?: ReactNode
  values: FormValues | undefined
}) {
  const { entity, targets, values = {} } = props
  const { panelTab } = useSnapshot(layout)
  const over = useMediaQuery(narrow.panel)
  const role = useRole()
  const only = targets.length === 1 && !targets.some(isPlaceholder) ? targets[0] : undefined
  const on = (...surfaces: Surface[]) =>
    surfaces.flatMap(surface =>
      commandsOn(surface).filter(command => command.entity === entity && role && command.roles.includes(role)),
    )
  const sections: Record<PanelTab, { title: string; commands: readonly Command[] }> = {
    info: { title: 'Info', commands: [] },
    settings: { title: on('settings').length > 0 ? 'Settings' : 'Update', commands: on('settings', 'update') },
    assign: { title: 'Assign', commands: on('assign') },
    control: { title: 'Control', commands: on('control') },
    create: { title: 'Create', commands: on('create') },
  }
  const alone = props.info === undefined
  const tabs = (Object.keys(sections) as PanelTab[]).filter(id =>
    id === 'info' ? !alone : sections[id].commands.length > 0 && !(alone && id === 'create'),
  )
  const tab = tabs.includes(panelTab) ? panelTab : tabs[0]!
  // Another target's forms are other forms: what was typed for one must not be applied to the next.
  const formKey = props.about ?? only?.id ?? 'many'

  return (
    <Panel
      title={targets.length === 0 ? `No ${nounsOf(entity)[1]} selected` : nameOrCount(targets, entity)}
      mono={only !== undefined && entity === 'devices'}
      width={props.width}
      over={over}
      onClose={props.onClose}
      actions={commandsOn('panelHead').map(command => (
        <CommandButton key={command.id} command={command} iconOnly />
      ))}
      head={props.head ?? <NoneKnown targets={targets} />}
      tabs={tabs.map(id => ({ id, title: sections[id].title }))}
      tab={tab}
      onTab={next => (layout.panelTab = next)}
    >
      {tab === 'info' && props.info}
      {tab === 'control' && (
        <div className="grid grid-cols-[repeat(auto-fill,minmax(172px,1fr))] gap-2 p-4">
          {sections.control.commands.map(command => (
            <CommandButton key={command.id} command={command} className="w-full" explain />
          ))}
        </div>
      )}
      {(tab === 'settings' || tab === 'assign' || tab === 'create') &&
        sections[tab].commands.map(command => (
          <KeptForm
            key={`${command.id} ${tab === 'create' ? '' : formKey}`}
            about={tab === 'create' ? '' : formKey}
            command={command}
            action={actionOf(command, tab, targets.length, entity)}
            values={values[command.id]}
          />
        ))}
    </Panel>
  )
}

/** A command's form that has what was typed into it when it is there again for the same. */
function KeptForm({ about, ...props }: ComponentProps<typeof CommandForm> & { about: string }) {
  const { id } = props.command
  // At once: typed into, a field that is drawn later loses its place.
  const kept = useSnapshot(drafts, { sync: true })[id]
  const edits = kept?.about === about ? kept.edits : nothing
  return <CommandForm {...props} edits={edits} onEdits={next => saveDraft(id, { about, edits: next })} />
}
const nothing = {}

/** Said where nothing is known by name. */
function NoneKnown({ targets }: { targets: readonly AnyItem[] }) {
  if (targets.length === 0) return <p className="mt-0.5 text-ink2">Move to a row, or select some.</p>
  if (!targets.some(isPlaceholder)) return null
  return <p className="mt-0.5 text-ink2">All rows that match when a command starts.</p>
}

function actionOf(command: Command, tab: 'settings' | 'assign' | 'create', count: number, entity: Entity): string {
  if (tab === 'create') return takesFile(command) ? 'Upload' : 'Create'
  return command.on.includes('update') ? 'Save' : `Apply to ${countOf(count, entity)}`
}
