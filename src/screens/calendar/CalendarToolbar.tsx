import type { ReactNode } from 'react'
import { useSnapshot } from 'valtio'
import type { Event } from '../../api/contract/events.ts'
import type { Command } from '../../commands/core/types.ts'
import { commandsOn } from '../../commands/core/registry.ts'
import { CommandKeys } from '../../commands/surfaces/buttons/CommandButton.tsx'
import { SurfaceButtons } from '../../commands/surfaces/buttons/SurfaceButtons.tsx'
import { runCommand } from '../../commands/surfaces/run/run.ts'
import type { CalendarView } from '../../domain/calendar/views.ts'
import { calendar } from '../../store/calendar.ts'
import { useSelection } from '../../store/selection.ts'
import { eventCounts } from './gridLabels.ts'

/** The calendar's toolbar: navigation, visible period, view, device filter, and the button for a new event. */
export function CalendarToolbar(props: {
  view: CalendarView
  title: string
  /** Undefined until they have been read. */
  events: readonly Event[] | undefined
}) {
  const { view, title, events } = props
  return (
    <div className="@container border-b border-line bg-panel">
      <div className="flex flex-wrap items-center gap-2 px-3 py-2">
        <div className="flex gap-1" role="group" aria-label="Time">
          <SurfaceButtons on="calendarTime" iconOnly overrides={{ 'calendar.current': { iconOnly: false } }} />
        </div>
        <p
          role="status"
          className="flex min-w-0 flex-wrap items-baseline gap-x-2 px-1 @max-[520px]:order-1 @max-[520px]:basis-full"
        >
          <span className="text-[15px] font-semibold tracking-tight">{title}</span>
          <span className="text-ink3 tabular-nums">{events && eventCounts(events)}</span>
        </p>
        <div className="ml-auto flex items-center gap-2 @max-[1040px]:order-last @max-[1040px]:basis-full">
          <div className="flex overflow-hidden rounded-md border border-line" role="group" aria-label="View">
            {commandsOn('calendarViews').map(command => (
              <Toggle key={command.id} command={command} pressed={command.id === `calendar.${view}`}>
                {command.title}
                <span className="hidden lg:block">
                  <CommandKeys command={command} />
                </span>
              </Toggle>
            ))}
          </div>
          <SurfaceButtons
            on="calendarFilters"
            overrides={{
              'calendar.onlySelected': command => <OnlySelected command={command} />,
              'calendar.suggestions': command => <Suggestions command={command} />,
            }}
          />
        </div>
        <div className="flex items-center gap-2 @max-[1040px]:ml-auto">
          <SurfaceButtons on="calendar" primary />
          <SurfaceButtons on="panelToggle" iconOnly />
        </div>
      </div>
    </div>
  )
}

/** Its button shows the number of selected devices. */
function OnlySelected({ command }: { command: Command }) {
  const { onlySelected } = useSnapshot(calendar)
  const { size } = useSelection('devices')
  return (
    <div className="flex overflow-hidden rounded-md border border-line">
      <Toggle command={command} pressed={onlySelected}>
        <span className="sr-only">Only events of the</span> Selected
        <span className="@max-[520px]:sr-only"> devices</span>
        <span className="tabular-nums">{size > 999 ? '999+' : size}</span>
        <span className="hidden lg:block">
          <CommandKeys command={command} />
        </span>
      </Toggle>
    </div>
  )
}

function Suggestions({ command }: { command: Command }) {
  const { suggestions } = useSnapshot(calendar)
  return (
    <div className="flex overflow-hidden rounded-md border border-line">
      <Toggle command={command} pressed={suggestions}>
        <span aria-hidden="true" className="h-3 w-3.5 rounded-[3px] border border-dashed border-current" />
        <span className="@max-[520px]:sr-only">Suggestions</span>
        <span className="hidden lg:block">
          <CommandKeys command={command} />
        </span>
      </Toggle>
    </div>
  )
}

function Toggle(props: { command: Command; pressed: boolean; children: ReactNode }) {
  return (
    <button
      type="button"
      data-command={props.command.id}
      aria-pressed={props.pressed}
      className={`flex h-[28px] items-center justify-center gap-1 border-r border-line px-2.5 font-medium @max-[520px]:px-2 whitespace-nowrap last:border-0 focus-visible:outline-offset-[-2px] ${props.pressed ? 'bg-accent-soft text-accent' : 'text-ink2 hover:bg-sunk'}`}
      onClick={() => void runCommand(props.command)}
    >
      {props.children}
    </button>
  )
}
