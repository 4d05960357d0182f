import { useEffect, useRef, useState } from 'react'
import type { ChosenPolicy } from '../../../api/jobs/jobs.ts'
import { messages } from '../../../domain/messages.ts'
import { Kbd } from '../../../ui/Kbd.tsx'
import { parsePolicy, partText, policyParts, policyText, type PolicyPart } from '../../arguments/policy.ts'
import { withNextPreset } from './policyPresets.ts'

/** The label and the key of each part of a policy. */
const chips: Readonly<Record<PolicyPart, { readonly label: string; readonly key: string }>> = {
  start: { label: 'Start', key: 's' },
  repeat: { label: 'Repeat', key: 'e' },
  waves: { label: 'Waves', key: 'w' },
  rate: { label: 'Rate', key: 'r' },
  window: { label: 'Window', key: 'h' },
  wait: { label: 'Offline', key: 'o' },
  retries: { label: 'Retries', key: 't' },
  stop: { label: 'Stop at failures', key: 'f' },
  until: { label: 'New matches', key: 'n' },
}
const textKey = 'p'

interface Props {
  /** The id of the command that the dialog belongs to. */
  readonly command: string
  readonly policy: ChosenPolicy
  /** Whether devices that come to match the search of the targets can be included. */
  readonly isSearch: boolean
  readonly onChange: (policy: ChosenPolicy) => void
}

/**
 * The policy of a job as chips. A press or, anywhere in the dialog, a key changes a chip to its next value; any policy
 * can be typed as text.
 */
export function PolicyBar({ command, policy, isSearch, onChange }: Props) {
  const [isTyping, setIsTyping] = useState(false)
  const bar = useRef<HTMLDivElement>(null)
  const parts = policyParts.filter(part => isSearch || part !== 'until')
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
            data-command={command}
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
          data-command={command}
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
          policy={policy}
          isSearch={isSearch}
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
  policy,
  isSearch,
  onDone,
}: Pick<Props, 'policy' | 'isSearch'> & { onDone: (policy: ChosenPolicy | undefined) => void }) {
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
        placeholder="waves 1%/1h 10% rate 100 window 02-05 wait 7d retries 2 stop 5%/20 start 03:00"
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
          if ('problem' in parsed) setProblem(parsed.problem)
          else if (parsed.policy.until !== undefined && !isSearch) setProblem(messages.untilNeedsSearch)
          else close(parsed.policy)
        }}
      />
      <p id="policy-problem" role="alert" className="text-[12px] text-bad empty:hidden">
        {problem}
      </p>
    </div>
  )
}
