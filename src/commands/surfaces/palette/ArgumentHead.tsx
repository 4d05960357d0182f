import type { ReactNode } from 'react'
import { controlOf } from '../../core/fields.ts'
import { countOf } from '../../core/wording.ts'
import type { Field } from '../../core/types.ts'
import type { Asked } from './argumentPrompt.ts'
import { Chip } from './Chip.tsx'
import { Icon } from '../buttons/Icon.tsx'
import type { Given } from './useArguments.ts'

/** Stands for what was typed where others must not read it. */
export const hidden = '••••••••'
export function isSecret(field: Field): boolean {
  const control = controlOf(field)
  return control.kind === 'text' && control.secret
}

const maxNamed = 3
/** `A4:…, A5:… and 7 more` */
function namesOf(targets: readonly { readonly name: string }[]): string {
  const named = targets
    .slice(0, maxNamed)
    .map(({ name }) => name)
    .join(', ')
  return targets.length > maxNamed ? `${named} and ${(targets.length - maxNamed).toLocaleString('en')} more` : named
}

/** The command, what it will act on, and what it has been given, before the field of the page. */
export function ArgumentHead(props: {
  asked: Asked
  given: readonly Given[]
  onChange: (one: Given) => void
  children: ReactNode
}) {
  const { asked, given, onChange, children } = props
  const { command, context } = asked
  const targets = command.entity && command.group !== 'create' ? context.targets(command.entity) : []
  return (
    <div className="flex min-h-[50px] flex-wrap items-center gap-2 border-b border-line px-4 py-2 text-[15px]">
      {command.icon && <Icon name={command.icon} />}
      <span className="rounded-md bg-accent-soft px-2 py-0.5 text-[11px] font-medium text-accent">{command.title}</span>
      {command.entity && targets.length > 0 && (
        <span className="max-w-full truncate rounded-md bg-accent-soft px-2 py-0.5 text-[11px] text-accent">
          {targets.length === 1 ? targets[0]?.name : countOf(targets.length, command.entity)}
          {targets.length > 1 && asked.start?.waits && `: ${namesOf(targets)}`}
        </span>
      )}
      {given
        .filter(one => one.value !== undefined)
        .map(one => (
          <Chip key={one.field.name} command={command.id} onChange={() => onChange(one)}>
            {one.field.label}: {isSecret(one.field) ? hidden : one.name}
          </Chip>
        ))}
      {children}
    </div>
  )
}
