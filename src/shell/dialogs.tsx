/** The dialogs of commands. Loaded when the page is idle. */
import { Suspense, useRef, useState } from 'react'
import { useSnapshot } from 'valtio'
import { renderSVG } from 'uqr'
import { overlay } from '../store/overlays.ts'
import { CloseButton, Dialog } from '../ui/Dialog.tsx'
import { Kbd } from '../ui/Kbd.tsx'
import { useNow } from '../ui/useNow.ts'
import { findCommand } from '../commands/core/registry.ts'
import { RetryButton } from '../commands/surfaces/toasts/FailedButtons.tsx'
import { CredentialsDialog, useWarningBeforeUnload } from '../commands/surfaces/dialogs/CredentialsDialog.tsx'
import { SurfaceButtons } from '../commands/surfaces/buttons/SurfaceButtons.tsx'
import { isReplayedSubmit, readFirst } from '../commands/surfaces/dialogs/earlyEnter.ts'
import { PreviewDialog } from '../commands/surfaces/dialogs/PreviewDialog.tsx'
import { lazyComponent } from '../commands/surfaces/run/lazyComponent.ts'
import { previewPrompt } from '../commands/surfaces/dialogs/previewPrompt.ts'
import { run } from '../commands/surfaces/run/run.ts'
import { KeySheet } from '../commands/surfaces/keys/KeySheet.tsx'
import { TypedWord } from '../commands/surfaces/dialogs/TypedWord.tsx'

const KeyRecorder = lazyComponent(
  () => import('../commands/surfaces/keys/KeyRecorder.tsx'),
  module => module.KeyRecorder,
)
const ScriptDialogs = lazyComponent(
  () => import('../commands/surfaces/scripts/ScriptDialogs.tsx'),
  module => module.ScriptDialogs,
)
const HealthDialog = lazyComponent(
  () => import('../screens/devices/health/HealthDialog.tsx'),
  module => module.HealthDialog,
)
const PasteDialog = lazyComponent(
  () => import('../commands/surfaces/dialogs/PasteDialog.tsx'),
  module => module.PasteDialog,
)

// Preloads the code that runs commands and reports results, so that it is available when the server becomes unreachable.
void Promise.allSettled([
  import('../commands/surfaces/host/runs.ts'),
  import('../commands/surfaces/host/dryRunWithProgress.ts'),
  import('../commands/surfaces/keys/replayKey.ts'),
  import('../commands/core/execution/confirmPlan.ts'),
  import('../commands/core/execution/settle.ts'),
  import('../commands/core/execution/waitForTargets.ts'),
  import('../commands/surfaces/toasts/OutcomeToast.tsx'),
  import('../commands/surfaces/toasts/ProgressToast.tsx'),
])

/** The open dialog, if any; the most urgent one if several are open. */
export function Dialogs() {
  const { question, preview, share, failures, keySheet, keyRecorder, credentials, scripts, pasteDialog, health } =
    useSnapshot(overlay)
  useWarningBeforeUnload(credentials !== undefined && credentials.savedAs === undefined)
  if (question) return <QuestionDialog />
  const currentPreview = preview === undefined ? undefined : previewPrompt.current()
  if (currentPreview) return <PreviewDialog key={preview?.number} preview={currentPreview} />
  if (credentials) return <CredentialsDialog {...credentials} />
  if (share) return <ShareDialog key={share.code} {...share} />
  if (failures) return <FailuresDialog />
  if (scripts && !keyRecorder)
    return (
      <Suspense fallback={null}>
        <ScriptDialogs />
      </Suspense>
    )
  const recordedCommand = keyRecorder === undefined ? undefined : findCommand(keyRecorder)
  if (recordedCommand)
    return (
      <Suspense fallback={null}>
        <KeyRecorder key={recordedCommand.id} command={recordedCommand} />
      </Suspense>
    )
  if (health)
    return (
      <Suspense fallback={null}>
        <HealthDialog {...health} />
      </Suspense>
    )
  if (pasteDialog)
    return (
      <Suspense fallback={null}>
        <PasteDialog />
      </Suspense>
    )
  return keySheet ? <KeySheet /> : null
}

/** A confirmation, with a word to type for dangerous commands. */
function QuestionDialog() {
  const { question } = useSnapshot(overlay)
  const [typed, setTyped] = useState('')
  const [wasEarly, setWasEarly] = useState(false)
  const action = useRef<HTMLButtonElement>(null)
  if (!question) return null
  const allowed = question.type === undefined || typed === question.type
  return (
    <Dialog command={question.command} title={question.title} role="alertdialog" onClose={() => question.answer(false)}>
      <form
        onSubmit={event => {
          event.preventDefault()
          if (question.danger && isReplayedSubmit(event)) setWasEarly(true)
          else if (allowed) question.answer(true)
        }}
      >
        {question.text && <p className="mt-1.5 text-ink2">{question.text}</p>}
        {question.source && <p className="mt-1.5 text-[12px] text-ink2">Selection: {question.source}</p>}
        {wasEarly && (
          <p role="status" className="mt-1.5 text-ink2">
            {readFirst}
          </p>
        )}
        {question.type && <TypedWord word={question.type} typed={typed} onTyped={setTyped} />}
        <div className="dialog-foot">
          {question.undo && <span className="dialog-note">{question.undo}</span>}
          <CloseButton label="Cancel" />
          <button
            ref={action}
            type="submit"
            className={`btn ${question.danger ? 'btn-danger' : 'btn-primary'}`}
            disabled={!allowed}
            autoFocus={question.type === undefined}
          >
            {question.action} {question.type === undefined && <Kbd caps={['↵']} />}
          </button>
        </div>
      </form>
    </Dialog>
  )
}

/** A sharing code with its remaining time. */
function ShareDialog({ bssid, code, expiresAt }: { bssid: string; code: string; expiresAt: string }) {
  const secondsLeft = Math.max(0, Math.ceil((Date.parse(expiresAt) - useNow(1000)) / 1000))
  return (
    <Dialog
      command="device.share"
      title={`Share ${bssid}`}
      className="w-[380px] p-5"
      onClose={() => (overlay.share = undefined)}
    >
      <div className="mt-3 grid justify-items-center gap-3">
        <img
          alt={`QR code of ${code}`}
          className={`size-44 rounded-lg bg-[#fff] p-2 ${secondsLeft === 0 ? 'opacity-20' : ''}`}
          src={`data:image/svg+xml;utf8,${encodeURIComponent(renderSVG(code, { border: 1 }))}`}
        />
        <p className="font-mono text-2xl tracking-[0.15em] select-all" data-testid="share-code">
          {code}
        </p>
        <p role="timer" className="numeric text-ink2">
          {secondsLeft > 0
            ? `Valid for ${Math.floor(secondsLeft / 60)}:${String(secondsLeft % 60).padStart(2, '0')}`
            : 'This code has expired'}
        </p>
        <div className="flex gap-2">
          <SurfaceButtons
            on="sharingCode"
            overrides={{ 'device.copyCode': { label: 'Copy code', primary: true, autoFocus: true } }}
          />
          <CloseButton />
        </div>
        <p className="text-center text-[12px] text-ink3">Enter this code in the mobile app. It can be used once.</p>
      </div>
    </Dialog>
  )
}

/** The failed targets of a job with their reasons. */
function FailuresDialog() {
  const { failures } = useSnapshot(overlay)
  if (!failures) return null
  const close = () => (overlay.failures = undefined)
  return (
    <Dialog command="run.failures" title={failures.title} className="w-[560px] p-5" onClose={close}>
      <ul className="mt-3 max-h-[50vh] overflow-auto rounded-lg border border-line" aria-label="Failures" tabIndex={0}>
        {failures.failed.map(({ id, name, message, blockingDevices }) => (
          <li key={id} className="flex flex-wrap items-center gap-x-3 border-b border-line px-3 py-1.5 last:border-0">
            <span className="font-mono text-[12px]">{name}</span>
            <span className="flex-1 text-ink2">{message}</span>
            {blockingDevices && (
              <button
                type="button"
                data-command="device.show"
                className="text-accent hover:underline"
                onClick={() => {
                  close()
                  void run('device.show', { input: blockingDevices })
                }}
              >
                Show the devices
              </button>
            )}
          </li>
        ))}
      </ul>
      <div className="mt-4 flex justify-end gap-2">
        <CloseButton autoFocus />
        <RetryButton job={failures.job} onChosen={close} />
      </div>
    </Dialog>
  )
}
