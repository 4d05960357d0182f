import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import { errorMessages } from '../../core/execution/execute.ts'
import { CloseButton, Dialog } from '../../../ui/Dialog.tsx'
import { Kbd } from '../../../ui/Kbd.tsx'
import type { DryRun } from '../../core/types.ts'
import { countOf } from '../../core/wording.ts'
import { describeChanges, previewRows } from '../../jobs/previewRows.ts'
import { byReason } from '../../core/reasons.ts'
import { undoText } from '../../jobs/undo.ts'
import { PreviewList } from './PreviewList.tsx'
import type { OpenPreview } from './previewPrompt.ts'
import { TypedWord } from './TypedWord.tsx'

/** What is known of what would happen. */
type Checked = { is: 'checking'; done: number } | { is: 'failed'; why: string } | { is: 'known'; plan: DryRun }

/** What a command is about to do to many: which it will touch, which it will skip and why. Nothing has happened yet. */
export function PreviewDialog({ preview }: { preview: OpenPreview }) {
  const { command, targets, changed, answer } = preview
  const [checked, retry] = useChecked(preview)
  const [typed, setTyped] = useState('')
  const list = useRef<HTMLDivElement>(null)
  const plan = checked.is === 'known' ? checked.plan : undefined
  const question = preview.question(plan)
  const count = countOf(targets.length, command.entity ?? 'devices')
  const ready =
    plan !== undefined && plan.affected.length > 0 && (question?.type === undefined || typed === question.type)
  const undo = undoText(command)
  return (
    <Dialog
      command={command.id}
      title={question?.title ?? `${command.title}: ${count}`}
      role="alertdialog"
      className="w-[600px] p-5"
      onClose={() => answer(undefined)}
    >
      <form
        aria-label={command.title}
        onKeyDown={event => scrollByKeys(event, list.current)}
        onSubmit={event => {
          event.preventDefault()
          if (checked.is === 'failed') retry()
          else if (plan && ready) answer(plan)
        }}
      >
        {question?.text && <p className="mt-1.5 text-ink2">{question.text}</p>}
        {changed.length > 0 && (
          <div role="alert" className="mt-3 rounded-lg bg-warn-soft px-3 py-2 text-warn">
            <p className="font-medium">This has changed since you agreed. Nothing has been done yet.</p>
            <ul>
              {describeChanges(changed).map(line => (
                <li key={line}>{line}</li>
              ))}
            </ul>
          </div>
        )}
        <Summary checked={checked} total={targets.length} />
        <PreviewList ref={list} label="What it goes to, and what it skips" rows={previewRows(targets, plan, changed)} />
        {question?.type && <TypedWord word={question.type} typed={typed} onTyped={setTyped} />}
        <div className="mt-4 flex flex-wrap items-center justify-end gap-2">
          {undo && <span className="mr-auto text-[12px] text-ink2">{undo}</span>}
          <CloseButton label="Cancel" />
          <button
            type="submit"
            className={`btn ${question?.danger ? 'btn-danger' : 'btn-primary'}`}
            autoFocus={question?.type === undefined}
            aria-disabled={ready || checked.is === 'failed' ? undefined : true}
          >
            {checked.is === 'failed' ? 'Retry' : (question?.action ?? command.title)} <Kbd caps={['↵']} />
          </button>
        </div>
      </form>
    </Dialog>
  )
}

/** Asks what would happen, unless that is known; and once more when it failed. */
function useChecked(preview: OpenPreview): readonly [Checked, () => void] {
  const [checked, setChecked] = useState<Checked>(
    preview.plan ? { is: 'known', plan: preview.plan } : { is: 'checking', done: 0 },
  )
  const [tries, setTries] = useState(0)
  useEffect(() => {
    if (preview.plan) return undefined
    const left = new AbortController()
    const unlessLeft = (next: Checked) => {
      if (!left.signal.aborted) setChecked(next)
    }
    unlessLeft({ is: 'checking', done: 0 })
    preview.check({ signal: left.signal, at: done => unlessLeft({ is: 'checking', done }) }).then(
      plan => unlessLeft({ is: 'known', plan }),
      (error: unknown) => unlessLeft({ is: 'failed', why: errorMessages(error).flat().join(', ') }),
    )
    return () => left.abort()
  }, [preview, tries])
  return [checked, () => setTries(tries + 1)]
}

/** In a few words; heard when it is known. */
function Summary({ checked, total }: { checked: Checked; total: number }) {
  if (checked.is === 'failed')
    return (
      <p role="alert" className="my-2.5 text-bad">
        What it would do could not be checked: {checked.why}
      </p>
    )
  return (
    <p role="status" className="my-2.5 flex flex-wrap items-center gap-x-2 gap-y-1">
      {checked.is === 'checking' ? (
        <span className="text-ink2">
          Checking what it would do…{' '}
          {checked.done > 0 && (
            <span className="numeric">{`${checked.done.toLocaleString('en')} of ${total.toLocaleString('en')}`}</span>
          )}
        </span>
      ) : (
        <Counts plan={checked.plan} />
      )}
    </p>
  )
}

const mark = 'rounded-[5px] px-1.5 py-0.5 text-[12px] font-medium'

function Counts({ plan: { affected, skipped } }: { plan: DryRun }) {
  const reasons = byReason(skipped).map(({ reason, ids }) => `${ids.length.toLocaleString('en')} × ${reason}`)
  return (
    <>
      <span className={`${mark} ${affected.length > 0 ? 'bg-ok-soft text-ok' : 'bg-mute-soft text-ink2'}`}>
        {affected.length === 0 ? 'None goes ahead' : `${affected.length.toLocaleString('en')} now`}
      </span>
      {skipped.length > 0 && (
        <>
          <span className={`${mark} bg-warn-soft text-warn`}>{skipped.length.toLocaleString('en')} skipped</span>
          <span className="text-ink2">{reasons.join(', ')}</span>
        </>
      )}
    </>
  )
}

/** The list scrolls by keys wherever the focus is in the dialog; Home and End stay a text field’s own. */
function scrollByKeys(event: KeyboardEvent, list: HTMLElement | null): void {
  if (!list || event.target === list || event.ctrlKey || event.metaKey || event.altKey) return
  const page = list.clientHeight - 28
  const by: Readonly<Record<string, number>> = {
    ArrowDown: 28,
    ArrowUp: -28,
    PageDown: page,
    PageUp: -page,
    ...(!(event.target instanceof HTMLInputElement) && { Home: -list.scrollHeight, End: list.scrollHeight }),
  }
  const distance = by[event.key]
  if (distance === undefined) return
  event.preventDefault()
  list.scrollTop += distance
}
