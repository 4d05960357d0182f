import { useSnapshot } from 'valtio'
import { commandsOn } from '../../commands/registry.ts'
import { run } from '../../commands/surfaces/run.ts'
import { controlOf } from '../../commands/fields.ts'
import type { Quantity } from '../../domain/units.ts'
import { preferences, useUnits } from '../../store/preferences.ts'
import { FieldRow, Segments } from '../../ui/controls.tsx'

const unitCommands = commandsOn('units')

const onOrOff = [
  { value: true, name: 'On' },
  { value: false, name: 'Off' },
]

/** The units in which amounts are shown and typed. A choice takes effect at once. */
export function SettingsScreen() {
  const units = useUnits()
  const { bareKeys } = useSnapshot(preferences)
  return (
    <div className="overflow-auto p-5">
      <div className="grid max-w-xl gap-4">
        <h1 tabIndex={-1} className="text-base font-semibold tracking-tight">
          Settings
        </h1>
        <section aria-label="Units" className="grid gap-3 rounded-lg border border-line bg-panel p-4">
          <h2 className="text-[12.5px] font-semibold">Units</h2>
          {unitCommands.map(command => {
            const [field] = command.fields
            const control = field && controlOf(field)
            if (control?.kind !== 'choice') return null
            const quantity = command.id.slice('units.'.length) as Quantity
            return (
              <FieldRow
                key={command.id}
                label={command.title.replace('Unit of ', '').replace(/^./, letter => letter.toUpperCase())}
              >
                {({ labelId }) => (
                  <Segments
                    labelId={labelId}
                    options={control.options}
                    value={units[quantity]}
                    onChange={unit => void run(command.id, { input: { unit } })}
                  />
                )}
              </FieldRow>
            )
          })}
        </section>
        <section aria-label="Keys" className="grid gap-3 rounded-lg border border-line bg-panel p-4">
          <h2 className="text-[12.5px] font-semibold">Keys</h2>
          <FieldRow
            label="Single keys"
            hint="Off, only keys with a modifier give commands; the palette still offers all."
          >
            {({ labelId }) => (
              <Segments
                labelId={labelId}
                options={onOrOff}
                value={bareKeys}
                onChange={value => value !== bareKeys && void run('view.bareKeys')}
              />
            )}
          </FieldRow>
        </section>
      </div>
    </div>
  )
}
