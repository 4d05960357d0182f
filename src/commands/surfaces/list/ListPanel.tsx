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
import { SurfaceButtons } from '../buttons/SurfaceButtons.tsx'
import { CommandForm } from '../forms/CommandForm.tsx'
import { FormGroup } from '../forms/FormGroup.tsx'
import { useContextValue } from '../run/commandHooks.ts'

/** The initial values of command forms, by command id and field name. */
export type FormValues = Readonly<Record<string, Readonly<Record<string, unknown>>>>

/** The side panel of a list: the targets (the selection or the focused row), and their commands in tabs. */
export function ListPanel(props: {
  entity: Entity
  targets: readonly AnyItem[]
  /** The id of the entity that the panel is for, known before it has loaded; omitted if the panel follows `targets`. */
  about?: string | undefined
  width: number
  onClose: () => void
  head?: ReactNode
  /** The Info tab; omitted if the screen shows the details itself, and then there is no Create tab either. */
  info?: ReactNode
  values: FormValues | undefined
}) {
  const { entity, targets, values = {} } = props
  const { panelTab } = useSnapshot(layout)
  const isOverlay = useMediaQuery(narrow.panel)
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
  const besideDetails = props.info === undefined
  const tabs = (Object.keys(sections) as PanelTab[]).filter(id =>
    id === 'info' ? !besideDetails : sections[id].commands.length > 0 && !(besideDetails && id === 'create'),
  )
  const tab = tabs.includes(panelTab) ? panelTab : tabs[0]!
  // A new form for each target: edits for one target must not be applied to the next.
  const formKey = props.about ?? only?.id ?? 'many'

  const forms = (commands: readonly Command[]) =>
    commands.map(command => (
      <DraftForm
        key={`${command.id} ${tab === 'create' ? '' : formKey}`}
        about={tab === 'create' ? '' : formKey}
        command={command}
        action={actionOf(command, tab, targets.length, entity)}
        values={values[command.id]}
      />
    ))

  return (
    <Panel
      title={targets.length === 0 ? `No ${nounsOf(entity)[1]} selected` : nameOrCount(targets, entity)}
      mono={only !== undefined && entity === 'devices'}
      width={props.width}
      isOverlay={isOverlay}
      onClose={props.onClose}
      actions={<SurfaceButtons on="panelHead" iconOnly />}
      head={props.head ?? <TargetHint targets={targets} />}
      tabs={tabs.map(id => ({ id, title: sections[id].title }))}
      tab={tab}
      onTab={next => (layout.panelTab = next)}
    >
      {tab === 'info' && props.info}
      {tab === 'control' && <Control commands={sections.control.commands} />}
      {tab === 'settings' && on('settings').length > 1 ? (
        <FormGroup
          entity={entity}
          commands={sections.settings.commands}
          about={formKey}
          values={values}
          action={`Apply to ${countOf(targets.length, entity)}`}
        >
          {forms(sections.settings.commands)}
        </FormGroup>
      ) : (
        (tab === 'settings' || tab === 'assign' || tab === 'create') && forms(sections[tab].commands)
      )}
    </Panel>
  )
}

/** Buttons that act on the targets. A reason that blocks all of them is shown once. */
function Control({ commands }: { commands: readonly Command[] }) {
  const reason = useContextValue(context => {
    const states = commands.map(command => command.availability(context)).filter(({ is }) => is !== 'hidden')
    return states.every(state => state.is === 'blocked') ? states[0]?.reason : undefined
  })
  return (
    <div className="grid grid-cols-[repeat(auto-fill,minmax(172px,1fr))] gap-2 p-4">
      {reason !== undefined && <p className="col-span-full text-ink2">{reason}</p>}
      {commands.map(command => (
        <CommandButton key={command.id} command={command} className="w-full" explain={reason === undefined} />
      ))}
    </div>
  )
}

/** A command's form that keeps its edits as a draft, and restores them when it opens again for the same target. */
function DraftForm({ about, ...props }: ComponentProps<typeof CommandForm> & { about: string }) {
  const { id } = props.command
  // Synchronously: React would move the caret of a controlled input that is updated later.
  const editsIn = ({ [id]: draft }: typeof drafts) => (draft?.about === about ? draft.edits : noEdits)
  const edits = editsIn(useSnapshot(drafts, { sync: true }))
  return (
    <CommandForm
      {...props}
      edits={edits}
      onEdits={change => saveDraft(id, { about, edits: change(editsIn(drafts)) })}
    />
  )
}
const noEdits = {}

/** Explains the panel's head where there are no named targets. */
function TargetHint({ targets }: { targets: readonly AnyItem[] }) {
  const isGone = useContextValue(({ list }) => list?.focus.id !== undefined)
  if (targets.length === 0)
    return (
      <p className="mt-0.5 text-ink2">
        {isGone ? 'The row is not on this page any more.' : 'Select a row to see its details.'}
      </p>
    )
  if (!targets.some(isPlaceholder)) return null
  return <p className="mt-0.5 text-ink2">Includes all rows that match when a command runs.</p>
}

/** Returns the label of a form's submit button. */
function actionOf(command: Command, tab: PanelTab, count: number, entity: Entity): string {
  if (tab === 'create') return takesFile(command) ? 'Upload' : 'Create'
  return command.on.includes('update') ? 'Save' : `Apply to ${countOf(count, entity)}`
}
