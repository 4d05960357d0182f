import type { ReactNode } from 'react'
import { controlOf } from '../../core/fields.ts'
import { countOf } from '../../core/wording.ts'
import type { Field } from '../../core/types.ts'
import type { ArgumentRequest } from './argumentPrompt.ts'
import { Chip } from './Chip.tsx'
import { Icon } from '../buttons/Icon.tsx'
import type { EnteredArgument } from './useArguments.ts'
import { formatNumber } from '../../../domain/format.ts'

/** Shown instead of a secret. */
export const secretMask = '••••••••'
/** Whether a field's value must not be readable on screen. */
export function isSecret(field: Field): boolean {
  const control = controlOf(field)
  return control.kind === 'text' && control.secret
}

const maxNamed = 3
/** Returns the names of the first targets and a count of the others: `A4:…, A5:… and 7 more`. */
function namesOf(targets: readonly { readonly name: string }[]): string {
  const named = targets
    .slice(0, maxNamed)
    .map(({ name }) => name)
    .join(', ')
  return targets.length > maxNamed ? `${named} and ${formatNumber(targets.length - maxNamed)} more` : named
}

/** Shows the command, its targets and the arguments entered so far, and the page's field as its children. */
export function ArgumentHead(props: {
  request: ArgumentRequest
  entered: readonly EnteredArgument[]
  onChange: (argument: EnteredArgument) => void
  children: ReactNode
}) {
  const { request, entered, onChange, children } = props
  const { command, context } = request
  const targets = command.entity && command.group !== 'create' ? context.targets(command.entity) : []
  return (
    <div className="flex min-h-[50px] flex-wrap items-center gap-2 border-b border-line px-4 py-2 text-[15px]">
      {command.icon && <Icon name={command.icon} />}
      <span className="rounded-md bg-accent-soft px-2 py-0.5 text-[11px] font-medium text-accent">{command.title}</span>
      {command.entity && targets.length > 0 && (
        <span className="max-w-full truncate rounded-md bg-accent-soft px-2 py-0.5 text-[11px] text-accent">
          {targets.length === 1 ? targets[0]?.name : countOf(targets.length, command.entity)}
          {targets.length > 1 && request.start?.needsEnter && `: ${namesOf(targets)}`}
        </span>
      )}
      {entered
        .filter(({ value }) => value !== undefined)
        .map(argument => (
          <Chip key={argument.field.name} command={command.id} onChange={() => onChange(argument)}>
            {argument.field.label}: {isSecret(argument.field) ? secretMask : argument.name}
          </Chip>
        ))}
      {children}
    </div>
  )
}
