import { useSnapshot } from 'valtio'
import { CommandSegments } from '../../../commands/surfaces/buttons/CommandSegments.tsx'
import { SurfaceButtons } from '../../../commands/surfaces/buttons/SurfaceButtons.tsx'
import { healthRangeNames, healthView, type HealthRange } from '../../../store/deviceHealth.ts'

/** The range of the health charts, and the buttons of the section. */
export function HealthActions() {
  const { range, raw, table } = useSnapshot(healthView)
  return (
    <div className="flex flex-wrap items-center gap-1">
      <div className="mr-1">
        <CommandSegments on="healthRange" label="Range of health" value={`health.${range}`} nameOf={nameOf} />
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
