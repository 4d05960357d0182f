/** What can be done about the failures of one run, whatever has run since; a key that would do just that is shown. */
import { jobs } from '../../core/runs/jobs.ts'
import { commandOf } from '../../core/registry.ts'
import { CommandButton } from '../buttons/CommandButton.tsx'
import { useFromContext } from '../run/live.ts'

interface Props {
  /** The id of the run, which is that of its job where it was one. */
  job: string | undefined
  plain?: boolean
  onChosen: () => void
}

/** Whether the last run was that one, or how many are left of the job; undefined where nothing is known of it any more. */
const useLeft = (job: string | undefined): 'last' | number | undefined =>
  useFromContext(({ last }) => {
    if (job !== undefined && last?.job === job) return 'last'
    const found = jobs.list.find(({ id }) => id === job)
    return found && found.total - found.done
  })

export function FailuresButton({ job, onChosen }: Props) {
  const left = useLeft(job)
  const of = { label: 'View failures', plain: true, onRun: onChosen }
  if (left === undefined) return null
  return left === 'last' ? (
    <CommandButton command={commandOf('run.failures')} {...of} />
  ) : (
    <CommandButton command={commandOf('run.failuresJob')} input={{ job }} {...of} />
  )
}

export function RetryButton({ job, plain = false, onChosen }: Props) {
  const left = useLeft(job)
  const of = { primary: true, plain, onRun: onChosen }
  if (left === undefined) return null
  return left === 'last' ? (
    <CommandButton command={commandOf('run.retry')} {...of} />
  ) : (
    <CommandButton command={commandOf('run.retryJob')} label={`Retry ${left}`} input={{ job }} {...of} />
  )
}
