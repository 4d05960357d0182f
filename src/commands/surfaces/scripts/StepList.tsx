import { useRef } from 'react'
import type { Step } from '../../../store/scripts/recording.ts'
import { findCommand } from '../../core/registry.ts'
import type { IconName } from '../../../domain/iconName.ts'
import { problemsOf, stepTitle } from '../../scripts/steps.ts'
import { Icon } from '../buttons/Icon.tsx'
import { StepText } from './StepText.tsx'

/** Edits a script's steps: reorders and removes them, and chooses the arguments that are prompted for at each run. */
export function StepList({ steps, onChange }: { steps: readonly Step[]; onChange: (steps: readonly Step[]) => void }) {
  const list = useRef<HTMLOListElement>(null)
  /** Moves the focus to the same button of the moved step, or of the step that takes the place of a removed one. */
  const focusOn = (index: number, act: string) =>
    requestAnimationFrame(() => {
      const row = list.current?.children[Math.min(index, steps.length - 1)] ?? list.current?.lastElementChild
      const button = row?.querySelector<HTMLButtonElement>(`[data-act=${act}]:not(:disabled)`)
      ;(button ?? row?.querySelector<HTMLButtonElement>('button:not(:disabled)'))?.focus()
    })
  const move = (index: number, by: 1 | -1) => {
    const [step] = steps.slice(index, index + 1)
    if (!step) return
    onChange(steps.toSpliced(index, 1).toSpliced(index + by, 0, step))
    focusOn(index + by, by < 0 ? 'up' : 'down')
  }
  const remove = (index: number) => {
    onChange(steps.toSpliced(index, 1))
    focusOn(index, 'remove')
  }
  return (
    <ol
      ref={list}
      aria-label="Steps"
      className="mt-1 max-h-[40vh] overflow-auto rounded-lg border border-line empty:hidden"
    >
      {steps.map((step, index) => (
        <li key={index} className="flex items-start gap-2 border-b border-line px-3 py-1.5 last:border-0">
          <span className="numeric w-5 pt-1 text-right text-ink3">{index + 1}</span>
          <StepLine step={step} onAsk={ask => onChange(steps.with(index, { ...step, ask }))} />
          <span className="flex">
            <ActionButton
              act="up"
              icon="up"
              label={`Move step ${index + 1} up`}
              disabled={index === 0}
              onClick={() => move(index, -1)}
            />
            <ActionButton
              act="down"
              icon="down"
              label={`Move step ${index + 1} down`}
              disabled={index === steps.length - 1}
              onClick={() => move(index, 1)}
            />
            <ActionButton
              act="remove"
              icon="close"
              label={`Remove step ${index + 1}`}
              disabled={false}
              onClick={() => remove(index)}
            />
          </span>
        </li>
      ))}
    </ol>
  )
}

function StepLine({ step, onAsk }: { step: Step; onAsk: (ask: readonly string[]) => void }) {
  const fields = findCommand(step.command)?.fields ?? []
  const [problem] = problemsOf(step)
  return (
    <div className="min-w-0 flex-1 pt-1">
      <span className="font-medium">{stepTitle(step)}</span> <StepText step={step} />
      {problem && <p className="text-[12px] text-bad">{problem}</p>}
      {fields.length > 0 && (
        <fieldset className="mt-0.5 flex flex-wrap gap-x-3 text-[12px] text-ink2">
          <legend className="sr-only">Ask each time for</legend>
          <span aria-hidden="true">Ask each time for</span>
          {fields.map(({ name, label }) => (
            <label key={name} className="flex min-h-6 items-center gap-1">
              <input
                type="checkbox"
                checked={step.ask.includes(name)}
                onChange={event =>
                  onAsk(event.target.checked ? [...step.ask, name] : step.ask.filter(asked => asked !== name))
                }
              />
              {label}
            </label>
          ))}
        </fieldset>
      )}
    </div>
  )
}

function ActionButton(props: { act: string; icon: IconName; label: string; disabled: boolean; onClick: () => void }) {
  const { act, icon, label, disabled, onClick } = props
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      data-act={act}
      data-command="scripts.save"
      disabled={disabled}
      className="icon-btn disabled:text-line"
      onClick={onClick}
    >
      <Icon name={icon} size={14} />
    </button>
  )
}
