import { controlOf } from '../../commands/core/fields.ts'
import { commandsOn } from '../../commands/core/registry.ts'
import { useAvailability } from '../../commands/surfaces/run/commandHooks.ts'
import { runCommand } from '../../commands/surfaces/run/run.ts'
import type { Command } from '../../commands/core/types.ts'
import { formatAmount } from '../../domain/format.ts'
import { unitOf, type Quantity } from '../../domain/units.ts'
import { useUnits } from '../../store/preferences.ts'
import { FieldRow, SegmentedControl } from '../../ui/controls.tsx'

const unitCommands = commandsOn('units')

/** The name of each quantity, and a typical reading in its base unit. */
const quantities: Readonly<Record<Quantity, { readonly name: string; readonly reading: number }>> = {
  volume: { name: 'Volume', reading: 250 },
  temperature: { name: 'Temperature', reading: 18.5 },
  pressure: { name: 'Pressure', reading: 3.5 },
  concentration: { name: 'TDS', reading: 320 },
  flow: { name: 'Flow', reading: 1.2 },
}

/** The units for amounts in tables, panels, forms, charts and exports. */
export function UnitChoices() {
  return (
    <section aria-labelledby="units" className="rounded-lg border border-line bg-panel p-4">
      <h2 id="units" className="text-[13px] font-semibold tracking-tight">
        Units
      </h2>
      <p className="mt-0.5 mb-3.5 text-ink2">
        Used for display, input and exports. Devices keep reporting in litres, °C, bar and ppm.
      </p>
      <div className="grid gap-2.5">
        {unitCommands.map(command => (
          <UnitChoice key={command.id} command={command} />
        ))}
      </div>
    </section>
  )
}

function UnitChoice({ command }: { command: Command }) {
  const units = useUnits()
  const availability = useAvailability(command)
  const [field] = command.fields
  const control = field && controlOf(field)
  if (control?.kind !== 'choice') return null
  const quantity = command.id.slice('units.'.length) as Quantity
  const { symbol } = unitOf(quantity, units)
  const { name, reading } = quantities[quantity]
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
      <div className="w-full max-w-[25rem]">
        <FieldRow label={name}>
          {({ labelId }) =>
            availability.is === 'blocked' ? (
              <p className="py-1">
                <b className="font-semibold">{symbol}</b>
                <span className="text-ink3"> (follows volume)</span>
              </p>
            ) : (
              <SegmentedControl
                labelId={labelId}
                options={control.options.map(option => ({ ...option, command: command.id }))}
                value={units[quantity]}
                onChange={unit => void runCommand(command, { input: { unit } })}
              />
            )
          }
        </FieldRow>
      </div>
      <p className="text-[12px] text-ink3 tabular-nums max-sm:ml-[7.9rem]">
        e.g. {formatAmount(reading, quantity, units)} {symbol}
      </p>
    </div>
  )
}
