import { useEffect, useId, useState } from 'react'
import { CloseButton, Dialog } from '../../../ui/Dialog.tsx'
import { Kbd } from '../../../ui/Kbd.tsx'
import type { DryRun } from '../../core/types.ts'
import { errorText } from '../../../api/errors.ts'
import { countOf, willText } from '../../core/wording.ts'
import { describeChanges, previewRows } from '../../jobs/previewRows.ts'
import { groupByReason } from '../../core/reasons.ts'
import type { ReadyStep } from '../../scripts/scriptHost.ts'
import { stepTitle, stepWith } from '../../scripts/steps.ts'
import { undoText } from '../../jobs/undo.ts'
import { PreviewList } from '../dialogs/PreviewList.tsx'
import { TypedWord } from '../dialogs/TypedWord.tsx'
import type { OpenScriptPreview } from './scriptPreviewPrompt.ts'
import { StepText } from './StepText.tsx'
import { formatNumber } from '../../../domain/format.ts'

/** Shows the dry run of a script before approval: the affected and skipped targets of each step. */
export function ScriptPreviewDialog({ preview }: { preview: OpenScriptPreview }) {
  const { script, steps, results, changed, answer } = preview
  const [plans, failure, retry] = usePlans(preview)
  const [typed, setTyped] = useState('')
  const word = steps.find(({ question }) => question?.type)?.question?.type
  const blocked = steps.some(step => step.blocked !== undefined)
  const hasEffect = plans?.some((plan, index) => canRun(steps[index], plan)) ?? false
  const obstacle = plans === undefined ? undefined : startBlockedReason(hasEffect, blocked && !script.go_on)
  const ready = plans !== undefined && obstacle === undefined && (word === undefined || typed === word)
  const first = steps[0]?.index ?? 0
  const changes = changed.flatMap((stepChanges, index) =>
    describeChanges(stepChanges).map(line => `Step ${(steps[index]?.index ?? 0) + 1}: ${line}`),
  )
  useEffect(
    () => () => {
      // Dismisses the prompt if the dialog unmounts without an answer.
      queueMicrotask(() => answer(undefined))
    },
    [answer],
  )
  return (
    <Dialog
      command="go.scripts"
      title={`Run “${script.name}”`}
      role="alertdialog"
      className="w-[640px] p-5"
      onClose={() => answer(undefined)}
    >
      <form
        aria-label={`Run “${script.name}”`}
        onSubmit={event => {
          event.preventDefault()
          if (failure !== undefined) retry()
          else if (ready) answer(plans)
        }}
      >
        <p role="status" className="mt-1.5 text-ink2">
          {plans || failure !== undefined ? summary(preview) : 'Loading the preview…'}
        </p>
        {failure !== undefined && (
          <p role="alert" className="mt-2 text-bad">
            The preview could not be loaded: {failure}
          </p>
        )}
        {changes.length > 0 && (
          <div role="alert" className="mt-3 rounded-lg bg-warn-soft px-3 py-2 text-warn">
            <p className="font-medium">
              The preview has changed since you confirmed it. None of these steps has run yet.
            </p>
            <ul>
              {changes.map(line => (
                <li key={line}>{line}</li>
              ))}
            </ul>
          </div>
        )}
        <ol aria-label="Steps" className="mt-3 max-h-[50vh] overflow-auto rounded-lg border border-line">
          {script.steps.map((step, index) => {
            const previewed = index >= first ? steps[index - first] : undefined
            return (
              <li key={index} className="flex gap-2 border-b border-line px-3 py-1.5 last:border-0">
                <span className="numeric w-5 text-right text-ink3">{index + 1}</span>
                <div className="min-w-0 flex-1">
                  <span className="font-medium">{stepTitle(step)}</span>{' '}
                  <StepText step={previewed ? stepWith(step, previewed.input) : step} />
                  {previewed ? (
                    <PreviewedStep step={previewed} plan={plans?.[index - first]} />
                  ) : (
                    <p className="text-[12px] text-ink3">
                      {results.some(result => result.index === index)
                        ? 'Done'
                        : index < first
                          ? 'Done earlier'
                          : 'Previewed after the previous steps'}
                    </p>
                  )}
                </div>
              </li>
            )
          })}
        </ol>
        {obstacle !== undefined && (
          <p role="alert" className="mt-3 text-warn">
            {obstacle}
          </p>
        )}
        {word && <TypedWord word={word} typed={typed} onTyped={setTyped} />}
        <div className="mt-4 flex flex-wrap items-center justify-end gap-2">
          <span className="mr-auto text-[12px] text-ink2">
            {script.go_on ? 'Continues after a failure' : 'Stops at the first failure'}
          </span>
          <CloseButton label="Cancel" />
          <button
            type="submit"
            className={`btn ${steps.some(({ question }) => question?.danger) ? 'btn-danger' : 'btn-primary'}`}
            autoFocus={word === undefined}
            aria-disabled={ready || failure !== undefined ? undefined : true}
          >
            {failure !== undefined ? 'Retry' : 'Run'} <Kbd caps={['↵']} />
          </button>
        </div>
      </form>
    </Dialog>
  )
}

/** Returns why the script cannot be started; undefined if it can. */
function startBlockedReason(hasEffect: boolean, stopsAtBlocked: boolean): string | undefined {
  if (!hasEffect) return 'Nothing to run: no step affects any target.'
  return stopsAtBlocked ? 'Nothing can run: a step is blocked, and the script stops at the first failure.' : undefined
}

/** Whether a step is not blocked, and affects some target or needs none. */
const canRun = (step: ReadyStep | undefined, plan: DryRun): boolean =>
  step !== undefined && step.blocked === undefined && (plan.affected.length > 0 || step.targets.length === 0)

function summary({ script, steps, results }: OpenScriptPreview): string {
  const [step] = steps
  const count = `${steps.length} ${steps.length === 1 ? 'step' : 'steps'}`
  const targets =
    step?.command.entity && step.targets.length > 0 ? ` on ${countOf(step.targets.length, step.command.entity)}` : ''
  if (results.length > 0) return `Next, ${count}${targets}.`
  return steps.length < script.steps.length ? `First, ${count}${targets}.` : `${count}${targets}.`
}

/**
 * Returns the dry runs of the steps, the error if they could not be fetched, and a function that retries. Fetches them
 * unless the preview has them already.
 */
function usePlans(
  preview: OpenScriptPreview,
): readonly [readonly DryRun[] | undefined, string | undefined, () => void] {
  const [plans, setPlans] = useState(preview.plans)
  const [failure, setFailure] = useState<string>()
  const [attempt, setAttempt] = useState(0)
  useEffect(() => {
    if (preview.plans) return undefined
    const unmounted = new AbortController()
    setFailure(undefined)
    Promise.all(preview.steps.map(step => step.dryRun(unmounted.signal))).then(
      loaded => !unmounted.signal.aborted && setPlans(loaded),
      (error: unknown) => !unmounted.signal.aborted && setFailure(errorText(error)),
    )
    return () => unmounted.abort()
  }, [preview, attempt])
  return [plans, failure, () => setAttempt(attempt + 1)]
}

const mark = 'rounded-[5px] px-1.5 py-0.5 text-[12px] font-medium'

/** Shows how many targets a step affects and skips, and on request the targets. */
function PreviewedStep({ step, plan }: { step: ReadyStep; plan: DryRun | undefined }) {
  const { command, targets, blocked, question } = step
  const [shown, setShown] = useState(false)
  const id = useId()
  const undo = undoText(command)
  if (blocked !== undefined) return <p className="text-[12px] text-bad">Blocked: {blocked}</p>
  return (
    <>
      <div className="mt-0.5 flex flex-wrap items-center gap-x-2 gap-y-1 text-[12px]">
        {targets.length > 0 && plan && (
          <>
            <span className={`${mark} ${plan.affected.length > 0 ? 'bg-ok-soft text-ok' : 'bg-mute-soft text-ink2'}`}>
              {willText(command, plan.affected.length)}
            </span>
            {plan.job !== undefined && plan.job.waiting > 0 && (
              <span className={`${mark} bg-busy-soft text-busy`}>
                {formatNumber(plan.job.waiting)} offline, will wait
              </span>
            )}
            {plan.skipped.length > 0 && (
              <span className={`${mark} bg-warn-soft text-warn`}>{formatNumber(plan.skipped.length)} skipped</span>
            )}
            <span className="text-ink2">
              {groupByReason(plan.skipped)
                .map(({ reason, ids }) => `${formatNumber(ids.length)} × ${reason}`)
                .join(', ')}
            </span>
            <button
              type="button"
              className="min-h-6 text-accent hover:underline"
              aria-expanded={shown}
              aria-controls={id}
              aria-label={`${shown ? 'Hide' : 'Show'} targets, step ${step.index + 1}`}
              onClick={() => setShown(!shown)}
            >
              {shown ? 'Hide targets' : 'Show targets'}
            </button>
          </>
        )}
        {undo && <span className="text-ink3">{undo}</span>}
      </div>
      {question?.text && <p className="text-[12px] text-warn">{question.text}</p>}
      <div id={id} className={shown ? 'mt-1' : undefined}>
        {shown && (
          <PreviewList
            ref={null}
            label={`Affected and skipped targets of step ${step.index + 1}`}
            rows={previewRows(command, targets, plan, [])}
          />
        )}
      </div>
    </>
  )
}
