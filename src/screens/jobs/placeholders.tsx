/** Placeholders for the jobs: empty, loading, and not available. */
import type { ApiError } from '../../api/errors.ts'
import { errorText } from '../../api/errors.ts'
import { commandOf } from '../../commands/core/registry.ts'
import { CommandButton } from '../../commands/surfaces/buttons/CommandButton.tsx'

export function NoJobs() {
  return (
    <div className="grid flex-1 place-content-center justify-items-center gap-2 p-8 text-center text-ink2">
      <p>No jobs yet.</p>
      <p className="max-w-96 text-ink3">Commands you run appear here. You can retry or undo them.</p>
    </div>
  )
}

/** Instead of the jobs that could not be loaded. */
export function NotAvailable({ error }: { error: unknown }) {
  return (
    <div className="grid flex-1 place-content-center justify-items-center gap-3 p-8 text-center">
      <p role="alert">{errorText(error)}</p>
      <CommandButton command={commandOf('view.refresh')} label="Retry" primary />
    </div>
  )
}

/** Instead of the details of a job that is loading, or could not be loaded. */
export function NoJob({ error, alone }: { error: ApiError | undefined; alone: boolean }) {
  if (!error) return <Skeleton />
  return (
    <div className="grid min-w-0 flex-1 place-content-center justify-items-center gap-3 bg-panel p-8 text-center">
      <p role="alert">{error.message}</p>
      {error.status === 404 && (
        <p className="max-w-96 text-ink2">It may be older than 400 days, or it belongs to another account.</p>
      )}
      {alone && <CommandButton command={commandOf('job.back')} />}
    </div>
  )
}

export function Skeleton() {
  return (
    <div aria-busy="true" aria-label="Loading" role="group" className="grid flex-1 content-start">
      {Array.from({ length: 6 }, (_, index) => (
        <div key={index} className="grid gap-2 border-b border-line bg-panel px-4 py-3.5">
          <span className="h-3 w-2/5 skeleton" />
          <span className="h-2.5 w-3/5 skeleton" />
        </div>
      ))}
    </div>
  )
}
