/** Generic form controls. */
import { useId, useRef, type ReactNode } from 'react'

/** A labelled row with an error or hint below the control. `children` receives the ids that link them. */
export function FieldRow(props: {
  label: string
  error?: string | undefined
  hint?: string | undefined
  /** Whether `Optional` is shown beside the label. */
  optional?: boolean
  stacked?: boolean
  children: (ids: { labelId: string; describedBy: string | undefined; inputId: string }) => ReactNode
}) {
  const id = useId()
  const note = props.error ?? props.hint
  return (
    <div
      className={
        props.stacked
          ? 'grid gap-1.5'
          : 'grid grid-cols-[minmax(0,7.4rem)_minmax(0,1fr)] items-center gap-x-2 gap-y-1 @max-sm:grid-cols-1'
      }
    >
      <div className="flex flex-wrap items-baseline justify-between gap-x-2">
        <label id={`${id}l`} htmlFor={`${id}i`} className="text-ink2">
          {props.label}
        </label>
        {props.optional && <span className="text-[12px] text-ink3">Optional</span>}
      </div>
      {props.children({ labelId: `${id}l`, inputId: `${id}i`, describedBy: note ? `${id}n` : undefined })}
      {note && (
        <p
          id={`${id}n`}
          role={props.error ? 'alert' : undefined}
          className={`${props.stacked ? '' : 'col-start-2 @max-sm:col-start-1'} text-[12px] ${props.error ? 'text-bad' : 'text-ink3'}`}
        >
          {note}
        </p>
      )}
    </div>
  )
}

export interface SegmentOption {
  readonly value: unknown
  readonly name: string
  /** The id of the command that choosing the option runs, if it takes effect at once. */
  readonly command?: string
}

/**
 * A segmented control: a radio group with arrow keys. `value` is undefined while none is chosen. Segments have the same
 * width unless a name needs more, and wrap instead of truncating.
 */
export function SegmentedControl(props: {
  labelId: string
  options: readonly SegmentOption[]
  value: unknown
  required?: boolean
  /** Whether clicking the chosen option clears the choice. */
  clearable?: boolean
  onChange: (value: unknown) => void
}) {
  const { options, value, onChange, clearable = false } = props
  const group = useRef<HTMLDivElement>(null)
  const chosen = options.findIndex(option => option.value === value)
  const step = (by: number) => {
    const next = (Math.max(chosen, 0) + by + options.length) % options.length
    onChange(options[next]!.value)
    group.current?.querySelectorAll('button')[next]?.focus()
  }
  const steps: Record<string, number> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }
  return (
    <div
      ref={group}
      role="radiogroup"
      aria-labelledby={props.labelId}
      aria-required={props.required ? true : undefined}
      className="flex min-w-0 flex-wrap gap-px overflow-hidden rounded-md border border-line bg-line"
      onKeyDown={event => {
        const by = steps[event.key]
        if (by === undefined) return
        event.preventDefault()
        step(by)
      }}
    >
      {options.map((option, index) => {
        const on = index === chosen
        return (
          <button
            key={option.name}
            type="button"
            role="radio"
            data-command={option.command}
            aria-checked={on}
            tabIndex={on || (chosen < 0 && index === 0) ? 0 : -1}
            className={`min-w-fit flex-1 px-2 py-1 focus-visible:outline-offset-[-2px] ${on ? 'bg-accent-soft font-semibold text-accent' : 'bg-bg text-ink2 hover:bg-sunk'}`}
            onClick={() => onChange(on && clearable ? undefined : option.value)}
          >
            {option.name}
          </button>
        )
      })}
    </div>
  )
}

/** A group of check boxes. */
export function CheckboxGroup(props: {
  labelId: string
  options: readonly SegmentOption[]
  values: readonly unknown[]
  onChange: (values: readonly unknown[]) => void
}) {
  const { options, values, onChange } = props
  return (
    <div
      role="group"
      aria-labelledby={props.labelId}
      className="grid grid-cols-[repeat(auto-fill,minmax(130px,1fr))] gap-1.5"
    >
      {options.map(option => {
        const on = values.includes(option.value)
        return (
          <label key={option.name} className="flex items-center gap-2">
            <input
              type="checkbox"
              className="size-[15px] accent-accent"
              checked={on}
              // In the order of the options, not of the clicks.
              onChange={() =>
                onChange(
                  options
                    .map(({ value }) => value)
                    .filter(value => (value === option.value ? !on : values.includes(value))),
                )
              }
            />
            {option.name}
          </label>
        )
      })}
    </div>
  )
}
