import type { ReactNode } from 'react'
import { useSnapshot } from 'valtio'
import type { Command } from '../../commands/core/types.ts'
import { SurfaceButtons } from '../../commands/surfaces/buttons/SurfaceButtons.tsx'
import { CommandKeys } from '../../commands/surfaces/buttons/CommandButton.tsx'
import { ExportMenu } from '../../commands/surfaces/buttons/ExportMenu.tsx'
import { Icon } from '../../commands/surfaces/buttons/Icon.tsx'
import { runCommand } from '../../commands/surfaces/run/run.ts'
import { connection } from '../../store/connection.ts'
import { notificationsView } from '../../store/notificationsView.ts'
import { useSelection } from '../../store/selection.ts'
import { TypesFilter } from './TypesFilter.tsx'
import { plural } from '../../domain/plural.ts'

/** The notifications' toolbar: filters, the number of matches, and the export. */
export function NotificationToolbar({ count }: { count: number | undefined }) {
  const { live } = useSnapshot(connection)
  return (
    <div className="flex flex-wrap items-center gap-2 border-b border-line bg-panel px-3 py-2">
      <SurfaceButtons
        on="notificationFilters"
        overrides={{
          'notification.filter': command => <TypesFilter command={command} />,
          'notification.onlySelected': command => <OnlySelected command={command} />,
          'notification.findings': command => <Findings command={command} />,
        }}
      />
      <p className="mr-auto px-1 text-ink3 tabular-nums">
        {count !== undefined && plural(count, 'notification')}
        {live === 'offline' && <span className="text-warn"> · Offline: new notifications do not appear</span>}
      </p>
      {/* Always rendered: a button that appears could wrap the toolbar onto another line and move the list. */}
      <SurfaceButtons
        on="notifications"
        iconOnly
        overrides={{
          'notification.export': command => <ExportMenu choices={[{ command, title: 'All matching notifications' }]} />,
        }}
      />
    </div>
  )
}

/** A filter that is on or off. */
function Toggle(props: { command: Command; isOn: boolean; children: ReactNode }) {
  const { command, isOn, children } = props
  return (
    <button
      type="button"
      data-command={command.id}
      aria-pressed={isOn}
      className="btn aria-pressed:border-transparent aria-pressed:bg-accent-soft aria-pressed:text-accent"
      onClick={() => void runCommand(command)}
    >
      {children}
      <span className="hidden sm:block">
        <CommandKeys command={command} />
      </span>
    </button>
  )
}

/** Shows findings among the notifications, or leaves them out. */
function Findings({ command }: { command: Command }) {
  const { findings } = useSnapshot(notificationsView)
  return (
    <Toggle command={command} isOn={findings}>
      <Icon name="finding" />
      Findings
    </Toggle>
  )
}

/** Its button shows the number of selected devices. */
function OnlySelected({ command }: { command: Command }) {
  const { onlySelected } = useSnapshot(notificationsView)
  const { size } = useSelection('devices')
  return (
    <Toggle command={command} isOn={onlySelected}>
      <Icon name="device" />
      <span className="sr-only">Only notifications of</span> Selected devices
      <span className="tabular-nums">{size > 999 ? '999+' : size}</span>
    </Toggle>
  )
}
