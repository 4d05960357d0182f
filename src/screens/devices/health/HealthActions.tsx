import { useId } from 'react'
import { useSnapshot } from 'valtio'
import { commandsOn } from '../../../commands/core/registry.ts'
import { SurfaceButtons } from '../../../commands/surfaces/buttons/SurfaceButtons.tsx'
import { runCommand } from '../../../commands/surfaces/run/run.ts'
import { healthRangeNames, healthView, type HealthRange } from '../../../store/deviceHealth.ts'
import { SegmentedControl } from '../../../ui/controls.tsx'

/** The range of the health charts, and the buttons of the section. */
export function HealthActions() {
  const { range, raw, table } = useSnapshot(healthView)
  const id = useId()
  const ranges = commandsOn('healthRange')
  return (
    <div className="flex flex-wrap items-center gap-1">
      <span id={id} className="sr-only">
        Range of health
      </span>
      <div className="mr-1">
        <SegmentedControl
          labelId={id}
          options={ranges.map(({ id: command }) => ({ value: command, name: nameOf(command), command }))}
          value={`health.${range}`}
          onChange={value => {
            const chosen = ranges.find(command => command.id === value)
            if (chosen) void runCommand(chosen)
          }}
        />
      </div>
      <SurfaceButtons
        on="health"
        iconOnly
        overrides={{
          'health.raw': { label: raw ? 'Hide days' : 'Show days', ...(raw && { className: '!text-accent' }) },
          'health.table': { label: table ? 'Show charts' : 'Show table', ...(table && { className: '!text-accent' }) },
          'health.explain': { label: 'Explain', iconOnly: false },
        }}
      />
    </div>
  )
}

const nameOf = (command: string) => healthRangeNames[command.slice('health.'.length) as HealthRange]
