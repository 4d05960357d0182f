import { outcomeCounts, outcomeName } from '../../commands/jobs/outcomes.ts'
import { outcomeFilters, type Job, type OutcomeFilter } from '../../commands/core/runs/jobs.ts'
import { commandOf } from '../../commands/core/registry.ts'
import { CommandKeys } from '../../commands/surfaces/buttons/CommandButton.tsx'
import { run } from '../../commands/surfaces/run/run.ts'

const command = commandOf('job.filter')

/** Filters for the outcomes, with their counts. */
export function OutcomeFilters({ job, filter }: { job: Job; filter: OutcomeFilter }) {
  const counts = outcomeCounts(job)
  // Only running and lost jobs have waiting targets.
  const offered = outcomeFilters.filter(one => one !== 'waiting' || counts.waiting > 0 || one === filter)
  return (
    <div
      role="group"
      aria-label="Outcomes shown"
      className="flex flex-wrap items-center gap-1 border-b border-line bg-bg px-3 py-1.5"
    >
      {offered.map(one => (
        <button
          key={one}
          type="button"
          data-command={command.id}
          aria-pressed={one === filter}
          className={`flex min-h-6 items-center gap-1.5 rounded-md px-2 py-0.5 text-[12px] ${one === filter ? 'bg-accent-soft font-semibold text-accent' : counts[one] === 0 ? 'text-ink3 hover:bg-sunk' : 'text-ink2 hover:bg-sunk'}`}
          onClick={() => void run(command.id, { input: { outcome: one } })}
        >
          {outcomeName(one, job.state)} <span className="tabular-nums">{counts[one].toLocaleString('en')}</span>
        </button>
      ))}
      <span className="ml-auto hidden sm:block">
        <CommandKeys command={commandOf('job.nextFilter')} />
      </span>
    </div>
  )
}
