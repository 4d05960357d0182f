/**
 * Buttons for the failures of one run, also after other runs. For the last run they run the commands with keys, so that
 * the keys are shown.
 */
import { jobs } from '../../core/runs/jobs.ts'
import { commandOf } from '../../core/registry.ts'
import { CommandButton } from '../buttons/CommandButton.tsx'
import { useContextValue } from '../run/commandHooks.ts'

interface Props {
  /** The id of the run: its job's id, if it was a job. */
  job: string | undefined
  plain?: boolean
  onChosen: () => void
}

/** Returns 'last' for the last run, or how many targets of an older job are not done; undefined if it is gone. */
const useRetryable = (job: string | undefined): 'last' | number | undefined =>
  useContextValue(({ last }) => {
    if (job !== undefined && last?.job === job) return 'last'
    const older = jobs.list.find(({ id }) => id === job)
    return older && older.total - older.done
  })

export function FailuresButton({ job, onChosen }: Props) {
  const retryable = useRetryable(job)
  const look = { label: 'View failures', plain: true, onRun: onChosen }
  if (job === undefined || retryable === undefined) return null
  return retryable === 'last' ? (
    <CommandButton command={commandOf('run.failures')} {...look} />
  ) : (
    <CommandButton command={commandOf('run.failuresJob')} input={{ job }} {...look} />
  )
}

export function RetryButton({ job, plain = false, onChosen }: Props) {
  const retryable = useRetryable(job)
  const look = { primary: true, plain, onRun: onChosen }
  if (job === undefined || retryable === undefined) return null
  return retryable === 'last' ? (
    <CommandButton command={commandOf('run.retry')} {...look} />
  ) : (
    <CommandButton command={commandOf('run.retryJob')} label={`Retry ${retryable}`} input={{ job }} {...look} />
  )
}
