import type { ReactNode } from 'react'
import { useSnapshot } from 'valtio'
import type { Command } from '../../commands/core/types.ts'
import { commandOf } from '../../commands/core/registry.ts'
import { SurfaceButtons } from '../../commands/surfaces/buttons/SurfaceButtons.tsx'
import { CommandButton, CommandKeys } from '../../commands/surfaces/buttons/CommandButton.tsx'
import { ExportMenu } from '../../commands/surfaces/buttons/ExportMenu.tsx'
import { Icon } from '../../commands/surfaces/buttons/Icon.tsx'
import { run } from '../../commands/surfaces/run/run.ts'
import { connection } from '../../store/connection.ts'
import { notificationsView } from '../../store/notificationsView.ts'
import { useSelection } from '../../store/selection.ts'
import { TypesFilter } from './TypesFilter.tsx'
import { plural } from '../../domain/plural.ts'

/** The notifications' toolbar: filters, the number of matches, and buttons to refresh and export. */
export function NotificationToolbar({ count }: { count: number | undefined }) {
  const { live } = useSnapshot(connection)
  return (
    <div className="flex flex-wrap items-center gap-2 border-b border-line bg-panel px-3 py-2">
      <TypesFilter />
      <OnlySelected />
      <Findings />
      <p className="mr-auto px-1 text-ink3 tabular-nums">
        {count !== undefined && plural(count, 'notification')}
        {live === 'offline' && <span className="text-warn"> · Offline: new notifications do not appear</span>}
      </p>
      {/* Always rendered: a button that appears could wrap the toolbar onto another line and move the list. */}
      <SurfaceButtons
        on="notifications"
        iconOnly
        overrides={{
          'notification.refresh': command => <Refresh command={command} />,
          'notification.export': command => <ExportMenu choices={[{ command, title: 'All matching notifications' }]} />,
        }}
      />
    </div>
  )
}

/** The refresh button; only its icon on narrow screens. */
const Refresh = ({ command }: { command: Command }) => (
  <>
    <span className="sm:hidden">
      <CommandButton command={command} iconOnly />
    </span>
    <span className="hidden sm:block">
      <CommandButton command={command} />
    </span>
  </>
)

/** A filter that is on or off. */
function Toggle(props: {
  id: 'notification.findings' | 'notification.onlySelected'
  isOn: boolean
  children: ReactNode
}) {
  const { id, isOn, children } = props
  return (
    <button
      type="button"
      data-command={id}
      aria-pressed={isOn}
      className="btn aria-pressed:border-transparent aria-pressed:bg-accent-soft aria-pressed:text-accent"
      onClick={() => void run(id)}
    >
      {children}
      <span className="hidden sm:block">
        <CommandKeys command={commandOf(id)} />
      </span>
    </button>
  )
}

/** Shows findings among the notifications, or leaves them out. */
function Findings() {
  const { findings } = useSnapshot(notificationsView)
  return (
    <Toggle id="notification.findings" isOn={findings}>
      <Icon name="finding" />
      Findings
    </Toggle>
  )
}

// Rendered separately, because its button shows the number of selected devices.
function OnlySelected() {
  const { onlySelected } = useSnapshot(notificationsView)
  const { size } = useSelection('devices')
  return (
    <Toggle id="notification.onlySelected" isOn={onlySelected}>
      <Icon name="device" />
      <span className="sr-only">Only notifications of</span> Selected devices
      <span className="tabular-nums">{size > 999 ? '999+' : size}</span>
    </Toggle>
  )
}
