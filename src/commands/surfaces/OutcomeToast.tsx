import type { Command, Outcome } from '../command.ts'
import { CommandButton } from './CommandButton.tsx'

/** How many failures there are of each reason, the most first. */
function reasons(outcome: Outcome): string {
  const counts = new Map<string, number>()
  for (const { message } of outcome.failed) counts.set(message, (counts.get(message) ?? 0) + 1)
  const [first, ...rest] = [...counts].sort((a, b) => b[1] - a[1])
  return first ? `${first[1]} × ${first[0]}${rest.length > 0 ? ` and ${rest.length} more` : ''}` : ''
}

/** Part of it worked: how much, why the rest did not, and what can be done about it. */
export function OutcomeToast(props: {
  message: string
  outcome: Outcome
  retry: Command
  see: Command
  onChosen: () => void
}) {
  const { done, failed } = props.outcome
  const total = done.length + failed.length
  return (
    <div className="grid gap-2">
      <div className="flex items-center gap-2">
        <span className="rounded-[5px] bg-warn-soft px-1.5 py-0.5 text-[11.5px] font-medium whitespace-nowrap text-warn">
          {done.length} of {total}
        </span>
        <span>{props.message}</span>
      </div>
      <Bar done={done.length} total={total} tone="bg-warn" />
      <p className="text-ink2">{reasons(props.outcome)}</p>
      <div className="flex justify-end gap-2">
        <CommandButton command={props.see} label="See which" onRun={props.onChosen} />
        <CommandButton command={props.retry} primary onRun={props.onChosen} />
      </div>
    </div>
  )
}

export function ProgressToast(props: { title: string; done: number; total: number; onCancel: () => void }) {
  const { title, done, total } = props
  return (
    <div className="grid gap-2">
      <div className="flex items-center gap-2">
        <span className="flex-1">
          {title}…{' '}
          {total > 0 && (
            <span className="numeric text-ink2">{`${done.toLocaleString('en')} of ${total.toLocaleString('en')}`}</span>
          )}
        </span>
        <button type="button" className="btn" onClick={props.onCancel}>
          Cancel
        </button>
      </div>
      <Bar done={done} total={total} tone="bg-accent" />
    </div>
  )
}

function Bar({ done, total, tone }: { done: number; total: number; tone: string }) {
  return (
    <div className="h-1 overflow-hidden rounded-full bg-mute-soft" aria-hidden="true">
      <div className={`h-full ${tone}`} style={{ width: `${total > 0 ? (done / total) * 100 : 0}%` }} />
    </div>
  )
}
