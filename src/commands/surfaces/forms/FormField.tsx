import { localText } from '../../../domain/calendar/days.ts'
import { clockHint } from '../../../domain/calendar/texts.ts'
import { editable } from '../../../domain/format.ts'
import { systemTimeZone } from '../../../domain/systemTimeZone.ts'
import { useUnits } from '../../../store/preferences.ts'
import { CheckSet, FieldRow, Segments } from '../../../ui/controls.tsx'
import type { Field } from '../../core/command.ts'
import { controlOf, unitLabel, type Control } from '../../core/fields.ts'
import { FileField } from './FileField.tsx'
import { ReferenceField } from './ReferenceField.tsx'

/** One argument as a control of a form. `value` is what was entered, or what there was before. */
export function FormField(props: {
  /** The id of the command that the argument is one of. */
  command: string
  field: Field
  value: unknown
  error: string | undefined
  onChange: (value: unknown) => void
}) {
  const { command, field, value, error, onChange } = props
  const units = useUnits()
  const control = controlOf(field)
  const unit = unitLabel(control, units)
  if (control.kind === 'file')
    return (
      <FileField
        command={command}
        template={control.template}
        error={error}
        file={value instanceof File ? value : undefined}
        onChange={onChange}
      />
    )
  return (
    <FieldRow
      label={unit && !field.label.endsWith(unit) ? `${field.label}, ${unit}` : field.label}
      error={error}
      hint={control.kind === 'time' && typeof value === 'string' ? clockHint(systemTimeZone(), value) : undefined}
      stacked={control.kind !== 'choice' && control.kind !== 'number'}
    >
      {({ labelId, inputId, describedBy }) => {
        if (control.kind === 'choice')
          return (
            <Segments
              labelId={labelId}
              options={control.options}
              value={value}
              clearable={field.optional}
              onChange={onChange}
            />
          )
        if (control.kind === 'set')
          return (
            <CheckSet
              labelId={labelId}
              options={control.options}
              values={Array.isArray(value) ? value : []}
              onChange={onChange}
            />
          )
        if (control.kind === 'search' && field.choices)
          return (
            <ReferenceField
              command={command}
              inputId={inputId}
              describedBy={describedBy}
              invalid={error !== undefined}
              label={field.label}
              choices={field.choices}
              many={control.many}
              value={value}
              onChange={onChange}
            />
          )
        const shared = {
          id: inputId,
          className: 'input',
          value: shownValue(value, control, units),
          'aria-invalid': error ? true : undefined,
          'aria-describedby': describedBy,
          onChange: (event: { target: { value: string } }) => onChange(event.target.value),
        }
        if (control.kind === 'text' && control.many)
          return <textarea {...shared} rows={3} className="input !h-auto py-1.5" />
        return (
          <input
            {...shared}
            type={
              control.kind === 'time'
                ? 'datetime-local'
                : control.kind === 'text' && control.secret
                  ? 'password'
                  : 'text'
            }
            inputMode={control.kind === 'number' ? 'decimal' : undefined}
            autoComplete={control.kind === 'text' && control.secret ? 'new-password' : 'off'}
          />
        )
      }}
    </FieldRow>
  )
}

function shownValue(value: unknown, control: Control, units: ReturnType<typeof useUnits>): string {
  if (control.kind === 'time' && typeof value === 'string' && value.endsWith('Z'))
    return localText(systemTimeZone(), Date.parse(value))
  if (typeof value === 'string') return value
  const quantity = control.kind === 'number' || control.kind === 'numbers' ? control.quantity : undefined
  const shown = (one: unknown) => (quantity && typeof one === 'number' ? editable(one, quantity, units) : String(one))
  if (Array.isArray(value)) return value.map(shown).join('  ')
  return typeof value === 'number' ? shown(value) : ''
}
