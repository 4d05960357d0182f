import { useEffect, useRef, useState } from 'react'
import type { ChosenPolicy } from '../../../api/jobs/jobs.ts'
import { Kbd } from '../../../ui/Kbd.tsx'
import { meaninglessFieldsOf, typedPolicyProblem, type JobLimits } from '../../core/execution/serverJob.ts'
import type { Command } from '../../core/types.ts'
import { parsePolicy, policyParts, type PolicyPart } from '../../arguments/policy.ts'
import { partText, policyText } from '../../arguments/policyTexts.ts'
import { keepSuccess, withNextPreset } from './policyPresets.ts'

interface Chip {
  readonly label: string
  readonly key: string
  /** The field of the policy that it changes. */
  readonly field: keyof ChosenPolicy
}

const chips: Readonly<Record<PolicyPart, Chip>> = {
  start: { label: 'Start', key: 's', field: 'start' },
  repeat: { label: 'Repeat', key: 'e', field: 'start' },
  waves: { label: 'Waves', key: 'w', field: 'waves' },
  rate: { label: 'Rate', key: 'r', field: 'rate' },
  window: { label: 'Window', key: 'h', field: 'window' },
  wait: { label: 'Offline', key: 'o', field: 'offline' },
  retries: { label: 'Retries', key: 't', field: 'retries' },
  stop: { label: 'Stop at failures', key: 'f', field: 'stop' },
  until: { label: 'New matches', key: 'n', field: 'until' },
}
const textKey = 'p'
const examples: Readonly<Partial<Record<PolicyPart, string>>> = {
  start: 'start 03:00',
  waves: 'waves 1%/1h 10%',
  rate: 'rate 100',
  window: 'window 02-05',
  wait: 'wait 7d',
  retries: 'retries 2',
  stop: 'stop 5%/20',
}

interface Props {
  /** The command that the dialog belongs to. */
  readonly command: Pick<Command, 'id' | 'endpoint'>
  readonly policy: ChosenPolicy
  readonly limits: JobLimits
  readonly onChange: (policy: ChosenPolicy) => void
}

/**
 * The policy of a job as chips. A press or, anywhere in the dialog, a key changes a chip to its next value; any policy
 * can be typed as text.
 */
export function PolicyBar({ command, policy, limits, onChange }: Props) {
  const [isTyping, setIsTyping] = useState(false)
  const bar = useRef<HTMLDivElement>(null)
  const meaningless = meaninglessFieldsOf(command)
  const parts = policyParts.filter(
    part =>
      (limits.isSearch || part !== 'until') &&
      !(limits.isRetry && part === 'repeat') &&
      !meaningless.some(field => field === chips[part].field),
  )
  const change = (part: PolicyPart) => onChange(withNextPreset(policy, part, Date.now()))
  useEffect(() => {
    const dialog = bar.current?.closest<HTMLElement>('[role=alertdialog]')
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.target instanceof HTMLInputElement) return
      const part = parts.find(one => chips[one].key === event.key)
      if (part === undefined && event.key !== textKey) return
      event.preventDefault()
      if (part === undefined) setIsTyping(true)
      else change(part)
    }
    dialog?.addEventListener('keydown', onKey)
    return () => dialog?.removeEventListener('keydown', onKey)
  })
  return (
    <div ref={bar} className="mb-2.5 grid gap-1.5">
      <div role="group" aria-label="Policy" className="flex flex-wrap gap-1">
        {parts.map(part => (
          <button
            key={part}
            type="button"
            data-command={command.id}
            aria-keyshortcuts={chips[part].key}
            className="flex min-h-6 max-w-full items-center gap-1.5 rounded-md border border-line px-2 py-0.5 text-[12px] hover:bg-sunk"
            onClick={() => change(part)}
          >
            <span className="text-ink2">{chips[part].label}</span>
            <span className="min-w-0 truncate font-medium">{partText(part, policy)}</span>
            <Kbd caps={[chips[part].key]} />
          </button>
        ))}
        <button
          type="button"
          data-command={command.id}
          aria-keyshortcuts={textKey}
          aria-expanded={isTyping}
          className="flex min-h-6 items-center gap-1.5 rounded-md px-2 py-0.5 text-[12px] text-accent hover:bg-sunk"
          onClick={() => setIsTyping(true)}
        >
          Type <Kbd caps={[textKey]} />
        </button>
      </div>
      {isTyping && (
        <PolicyText
          command={command}
          parts={parts}
          policy={policy}
          limits={limits}
          onDone={next => {
            setIsTyping(false)
            if (next) onChange(next)
          }}
        />
      )}
    </div>
  )
}

/** A field for the policy as text. Enter applies it, and Esc leaves it as it was. */
function PolicyText({
  command,
  parts,
  policy,
  limits,
  onDone,
}: Pick<Props, 'command' | 'policy' | 'limits'> & {
  parts: readonly PolicyPart[]
  onDone: (policy: ChosenPolicy | undefined) => void
}) {
  const [text, setText] = useState(() => policyText(policy))
  const [problem, setProblem] = useState<string>()
  const opener = useRef(document.activeElement)
  const close = (next: ChosenPolicy | undefined) => {
    if (opener.current instanceof HTMLElement) opener.current.focus()
    onDone(next)
  }
  return (
    <div className="grid gap-1">
      <input
        className="input w-full font-mono text-[12px]"
        aria-label="Policy as text"
        aria-invalid={problem !== undefined}
        aria-describedby="policy-problem"
        placeholder={parts.flatMap(part => examples[part] ?? []).join(' ')}
        autoFocus
        value={text}
        onChange={event => {
          setText(event.target.value)
          setProblem(undefined)
        }}
        onKeyDown={event => {
          if (event.nativeEvent.isComposing || (event.key !== 'Enter' && event.key !== 'Escape')) return
          // The dialog neither runs the command nor closes.
          event.preventDefault()
          event.stopPropagation()
          if (event.key === 'Escape') return close(undefined)
          const parsed = parsePolicy(text, Date.now())
          if ('problem' in parsed) return setProblem(parsed.problem)
          const problem = typedPolicyProblem(command, parsed.policy, limits)
          if (problem === undefined) close(keepSuccess(policy, parsed.policy))
          else setProblem(problem)
        }}
      />
      <p id="policy-problem" role="alert" className="text-[12px] text-bad empty:hidden">
        {problem}
      </p>
    </div>
  )
}
