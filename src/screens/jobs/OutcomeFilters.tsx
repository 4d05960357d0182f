import { commandOf } from '../../commands/core/registry.ts'
import type { JobFilter } from '../../commands/core/runs/jobs.ts'
import type { FilterChoice } from '../../commands/jobs/moves.ts'
import { CommandKeys } from '../../commands/surfaces/buttons/CommandButton.tsx'
import { run } from '../../commands/surfaces/run/run.ts'
import { formatNumber } from '../../domain/format.ts'

const command = commandOf('job.filter')

/** Filters for the targets of a job, with their counts. */
export function OutcomeFilters({ choices, current }: { choices: readonly FilterChoice[]; current: JobFilter }) {
  return (
    <div
      role="group"
      aria-label="Outcomes shown"
      className="flex flex-wrap items-center gap-1 border-b border-line bg-bg px-3 py-1.5"
    >
      {choices.map(({ filter, name, count }) => (
        <button
          key={filter}
          type="button"
          data-command={command.id}
          aria-pressed={filter === current}
          className={`flex min-h-6 items-center gap-1.5 rounded-md px-2 py-0.5 text-[12px] ${filter === current ? 'bg-accent-soft font-semibold text-accent' : count === 0 ? 'text-ink3 hover:bg-sunk' : 'text-ink2 hover:bg-sunk'}`}
          onClick={() => void run(command.id, { input: { outcome: filter } })}
        >
          {name} <span className="tabular-nums">{formatNumber(count)}</span>
        </button>
      ))}
      <span className="btn-keys">
        <CommandKeys command={commandOf('job.nextFilter')} />
      </span>
    </div>
  )
}
