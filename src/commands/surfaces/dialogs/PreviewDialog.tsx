import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import type { ChosenPolicy } from '../../../api/jobs/jobs.ts'
import { errorText } from '../../../api/errors.ts'
import { CloseButton, Dialog } from '../../../ui/Dialog.tsx'
import { Kbd } from '../../../ui/Kbd.tsx'
import type { Command, DryRun } from '../../core/types.ts'
import { countOf, willText } from '../../core/wording.ts'
import { affectedCount } from '../../core/execution/planChanges.ts'
import { describeChanges, previewRows, skippedGroups } from '../../jobs/previewRows.ts'
import { undoText } from '../../jobs/undo.ts'
import { isReplayedSubmit, readFirst } from './earlyEnter.ts'
import { PolicyBar } from './PolicyBar.tsx'
import { PreviewList } from './PreviewList.tsx'
import type { OpenPreview } from './previewPrompt.ts'
import { TypedWord } from './TypedWord.tsx'
import { VersionChart } from './VersionChart.tsx'
import { formatNumber } from '../../../domain/format.ts'

/** The state of the dry run. */
type DryRunState = { is: 'loading'; done: number } | { is: 'failed'; reason: string } | { is: 'loaded'; plan: DryRun }

/** What became of an Enter pressed before the preview had loaded. */
type EarlyEnter = 'accepted' | 'refused'

/** Shows the dry run of a bulk operation before approval: the affected targets, and the skipped ones with reasons. */
export function PreviewDialog({ preview }: { preview: OpenPreview }) {
  const { command, targets, changed, answer } = preview
  const [policy, setPolicy] = useState(preview.policy)
  const [state, retry] = useDryRun(preview, policy)
  const [typed, setTyped] = useState('')
  const [early, setEarly] = useState<EarlyEnter>()
  const list = useRef<HTMLDivElement>(null)
  const plan = state.is === 'loaded' ? state.plan : undefined
  const question = preview.question(plan)
  const count = countOf(plan?.job?.total ?? targets.length, command.entity ?? 'devices')
  const ready =
    plan !== undefined && affectedCount(plan) > 0 && (question?.type === undefined || typed === question.type)
  const undo = undoText(command)
  // What cannot be taken back easily, or was approved in another form, must have been seen.
  const needsReading = question?.danger === true || question?.type !== undefined || changed.length > 0
  const submit = (isReplayed: boolean) => {
    if (state.is === 'failed') retry()
    else if (needsReading && (isReplayed || !plan)) setEarly('refused')
    else if (plan && ready) answer(plan)
    else if (!plan) setEarly('accepted')
  }
  useEffect(() => {
    if (early !== 'accepted' || state.is === 'loading') return
    setEarly(undefined)
    if (plan && ready) answer(plan)
  }, [early, state, plan, ready, answer])
  return (
    <Dialog
      command={command.id}
      title={question?.title ?? `${command.title}: ${count}`}
      role="alertdialog"
      className="flex max-h-full w-[600px] flex-col overflow-y-auto p-5"
      onClose={() => answer(undefined)}
    >
      <form
        aria-label={command.title}
        className="flex min-h-0 flex-col"
        onKeyDown={event => scrollByKeys(event, list.current)}
        onSubmit={event => {
          event.preventDefault()
          submit(isReplayedSubmit(event))
        }}
      >
        {question?.text && <p className="mt-1.5 text-ink2">{question.text}</p>}
        {changed.length > 0 && (
          <div role="alert" className="mt-3 rounded-lg bg-warn-soft px-3 py-2 text-warn">
            <p className="font-medium">The preview has changed since you confirmed it. Nothing has been done yet.</p>
            <ul>
              {describeChanges(changed).map(line => (
                <li key={line}>{line}</li>
              ))}
            </ul>
          </div>
        )}
        {preview.source && <p className="mt-1.5 text-[12px] text-ink2">Selection: {preview.source}</p>}
        <Summary command={command} state={state} total={targets.length} danger={question?.danger === true} />
        {plan?.job?.versions && plan.job.versions.length > 0 && (
          <VersionChart versions={plan.job.versions} target={plan.job.installs} max={5} className="mb-3" />
        )}
        {policy && <PolicyBar command={command} policy={policy} limits={preview} onChange={setPolicy} />}
        {early && (
          <p role="status" className="mb-2.5 text-ink2">
            {early === 'accepted' ? `“${command.title}” starts once the preview has loaded.` : readFirst}
          </p>
        )}
        <PreviewList
          ref={list}
          label="Affected and skipped targets"
          rows={previewRows({ ...command, danger: question?.danger, isRetry: preview.isRetry }, targets, plan, changed)}
        />
        {question?.type && <TypedWord word={question.type} typed={typed} onTyped={setTyped} />}
        <div className="dialog-foot">
          {undo && <span className="dialog-note">{undo}</span>}
          <CloseButton label="Cancel" />
          <button
            type="submit"
            className={`btn ${question?.danger ? 'btn-danger' : 'btn-primary'}`}
            autoFocus={question?.type === undefined}
            aria-disabled={ready || state.is === 'failed' ? undefined : true}
          >
            {state.is === 'failed' ? 'Retry' : (question?.action ?? command.title)} <Kbd caps={['↵']} />
          </button>
        </div>
      </form>
    </Dialog>
  )
}

/**
 * Returns the dry run of a preview with a policy, fetched unless the preview has it already, and a function that retries
 * it.
 */
function useDryRun(preview: OpenPreview, policy: ChosenPolicy | undefined): readonly [DryRunState, () => void] {
  const [{ of, state }, setAnswer] = useState<DryRunAnswer>({
    of: policy,
    state: preview.plan ? { is: 'loaded', plan: preview.plan } : loading,
  })
  const [attempt, setAttempt] = useState(0)
  useEffect(() => {
    if (preview.plan && policy === preview.policy) {
      setAnswer({ of: policy, state: { is: 'loaded', plan: preview.plan } })
      return undefined
    }
    const unmounted = new AbortController()
    const update = (next: DryRunState) => {
      if (!unmounted.signal.aborted) setAnswer({ of: policy, state: next })
    }
    update(loading)
    preview.check({ signal: unmounted.signal, report: done => update({ is: 'loading', done }) }, policy).then(
      plan => update({ is: 'loaded', plan }),
      (error: unknown) => update({ is: 'failed', reason: errorText(error) }),
    )
    return () => unmounted.abort()
  }, [preview, policy, attempt])
  // A key may change the policy, and Enter confirm it, before the effect has run: the dry run of the last policy must not count.
  return [of === policy ? state : loading, () => setAttempt(attempt + 1)]
}

const loading: DryRunState = { is: 'loading', done: 0 }

/** A dry run, and the policy that it belongs to. */
interface DryRunAnswer {
  readonly of: ChosenPolicy | undefined
  readonly state: DryRunState
}

interface SummaryProps {
  command: Command
  state: DryRunState
  total: number
  /** Whether the operation is destructive. */
  danger: boolean
}

/** Summarizes the dry run, and announces it to screen readers once it is loaded. */
function Summary({ command, state, total, danger }: SummaryProps) {
  if (state.is === 'failed')
    return (
      <p role="alert" className="my-2.5 text-bad">
        The preview could not be loaded: {state.reason}
      </p>
    )
  return (
    <p role="status" className="my-2.5 flex flex-wrap items-center gap-x-2 gap-y-1">
      {state.is === 'loading' ? (
        <span className="text-ink2">
          Loading the preview…{' '}
          {state.done > 0 && <span className="numeric">{`${formatNumber(state.done)} of ${formatNumber(total)}`}</span>}
        </span>
      ) : (
        <Counts command={command} plan={state.plan} danger={danger} />
      )}
    </p>
  )
}

const mark = 'rounded-[5px] px-1.5 py-0.5 text-[12px] font-medium'

function Counts(props: { command: Command; plan: DryRun; danger: boolean }) {
  const { job } = props.plan
  const affected = affectedCount(props.plan)
  const reasons = skippedGroups(props.plan)
  const skipped = reasons.reduce((sum, { count }) => sum + count, 0)
  return (
    <>
      <span
        className={`${mark} ${affected === 0 ? 'bg-mute-soft text-ink2' : props.danger ? 'bg-bad-soft text-bad' : 'bg-ok-soft text-ok'}`}
      >
        {willText(props.command, affected)}
      </span>
      {job !== undefined && job.waiting > 0 && (
        <span className={`${mark} bg-busy-soft text-busy`}>{formatNumber(job.waiting)} offline, will wait</span>
      )}
      {job !== undefined && job.waves.length > 1 && (
        <span className="text-ink2">in waves of {job.waves.map(({ size }) => formatNumber(size)).join(', ')}</span>
      )}
      {skipped > 0 && (
        <>
          <span className={`${mark} bg-warn-soft text-warn`}>{formatNumber(skipped)} skipped</span>
          <span className="text-ink2">
            {reasons.map(({ reason, count }) => `${formatNumber(count)} × ${reason}`).join(', ')}
          </span>
        </>
      )}
    </>
  )
}

/** Scrolls the list by keys from anywhere in the dialog. In a text field, Home and End move the caret instead. */
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
