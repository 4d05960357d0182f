import { metaOf } from '../../../api/contract/fields.ts'
import { clockHint } from '../../../domain/calendar/texts.ts'
import { systemTimeZone } from '../../../domain/systemTimeZone.ts'
import { useUnits } from '../../../store/preferences.ts'
import { CheckboxGroup, FieldRow, SegmentedControl } from '../../../ui/controls.tsx'
import type { Field } from '../../core/types.ts'
import { controlOf, labelWithUnit, unitLabel, type Control } from '../../core/fields.ts'
import { FileField } from './FileField.tsx'
import { fieldText } from './formInput.ts'
import { ReferenceField } from './ReferenceField.tsx'

/** Whether options need the whole width of a panel to be in one line: more than 32 characters. */
const isWide = (options: readonly { readonly name: string }[]): boolean =>
  options.reduce((length, { name }) => length + name.length, 0) > 32

/** Renders the form control of one argument. `value` is the edited value, or else the initial one. */
export function FormField(props: {
  /** The id of the command that the argument belongs to. */
  command: string
  field: Field
  value: unknown
  required: boolean
  /** Whether the field says that it is optional. */
  showsOptional: boolean
  /** Whether a choice can be taken back; not if the field had a value before. */
  clearable: boolean
  error: string | undefined
  onChange: (value: unknown) => void
}) {
  const { command, field, value, error, required, onChange } = props
  const units = useUnits()
  const control = controlOf(field)
  const unit = unitLabel(control, units)
  if (control.kind === 'file')
    return (
      <FileField
        command={command}
        template={control.template}
        inParts={control.inParts}
        error={error}
        required={required}
        file={value instanceof File ? value : undefined}
        onChange={onChange}
      />
    )
  return (
    <FieldRow
      label={labelWithUnit(field.label, unit)}
      error={error}
      optional={props.showsOptional && !required}
      hint={
        control.kind === 'time' && typeof value === 'string'
          ? clockHint(systemTimeZone(), value)
          : metaOf(field.schema)?.hint
      }
      stacked={control.kind === 'choice' ? isWide(control.options) : control.kind !== 'number'}
    >
      {({ labelId, inputId, describedBy }) => {
        if (control.kind === 'choice')
          return (
            <SegmentedControl
              labelId={labelId}
              required={required}
              options={control.options}
              value={value}
              clearable={props.clearable}
              onChange={onChange}
            />
          )
        if (control.kind === 'set')
          return (
            <CheckboxGroup
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
              required={required}
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
          value: fieldText(field, value, units),
          'aria-required': required ? true : undefined,
          'aria-invalid': error ? true : undefined,
          'aria-describedby': describedBy,
          onChange: (event: { target: { value: string } }) => onChange(event.target.value),
        }
        if (control.kind === 'text' && control.multiline)
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
            autoComplete={autoCompleteOf(control)}
          />
        )
      }}
    </FieldRow>
  )
}

/** Returns what a browser or a phone may fill in. */
function autoCompleteOf(control: Control): string {
  if (control.kind !== 'text') return 'off'
  return control.secret ? 'new-password' : control.code ? 'one-time-code' : 'off'
}
