import { useRef } from 'react'
import { useAlarmLoad } from '../../api/health/alarmLoad.ts'
import {
  useFindingGroups,
  useHealthSummary,
  useMovers,
  useNewestFindings,
  useSupplyChanges,
  type Grouping,
} from '../../api/health/summary.ts'
import {
  firstGroupings,
  groupEntries,
  groupingsOf,
  groupsOf,
  laterGroupings,
  loadedEntries,
  maxGroups,
  stateEntries,
  totalOf,
} from '../../commands/overview/entries.ts'
import { commandOf } from '../../commands/core/registry.ts'
import { CommandButton, CommandKeys } from '../../commands/surfaces/buttons/CommandButton.tsx'
import { run } from '../../commands/surfaces/run/run.ts'
import type { HealthSummary } from '../../api/contract/health/fleet.ts'
import { overviewFocus } from '../../store/focus.ts'
import { overviewView } from '../../store/overview/view.ts'
import { useRole } from '../../store/session.ts'
import { useSnapshot } from 'valtio'
import { Bar } from '../../ui/Bar.tsx'
import { AlarmLoad } from './AlarmLoad.tsx'
import { Card } from './Card.tsx'
import { Coverages } from './Coverages.tsx'
import { GroupRow, StateCard, stateParts, type Focusing } from './entries.tsx'
import { Movers } from './Movers.tsx'
import { NewFindings } from './NewFindings.tsx'
import { SupplyChanges } from './SupplyChanges.tsx'
import { plural } from '../../domain/plural.ts'
import { pendingText } from './pendingText.ts'

const titles: Readonly<Record<Grouping, string>> = {
  cause: 'Findings by cause',
  model: 'Device models',
  supply: 'Water supplies',
  vendor: 'Vendors',
}
const empty: Readonly<Record<Grouping, string>> = {
  cause: 'No device has an open finding.',
  model: 'There are no devices yet.',
  supply: 'No device has a water supply yet: the command “Set water supply” names it.',
  vendor: 'There are no devices yet.',
}

/** The fleet in pictures: its health, the alarms it gives, what has changed, and its health by cause, model and supply. */
export function OverviewScreen() {
  const role = useRole()
  const { data, error } = useHealthSummary(groupingsOf(role))
  const { moves } = useSnapshot(overviewFocus)
  const handledMove = useRef(moves)
  const focusing: Focusing = { focused: useFocusedEntry(role), moves, handledMove }
  const groups = (by: Grouping) => data && <Groups key={by} by={by} summary={data} focusing={focusing} />
  return (
    <section aria-labelledby="overview-title" className="flex min-h-0 min-w-0 flex-1 flex-col">
      <h1 id="overview-title" tabIndex={-1} className="sr-only">
        Overview
      </h1>
      {data ? (
        <div className="min-h-0 flex-1 overflow-auto">
          <div className="@container mx-auto grid max-w-[1320px] gap-4 p-3 sm:p-4">
            <States summary={data} focusing={focusing} />
            <AlarmLoad focusing={focusing} />
            <div className="grid items-start gap-4 @3xl:grid-cols-2">
              <div className="grid min-w-0 gap-4">
                <SupplyChanges focusing={focusing} />
                <NewFindings focusing={focusing} />
                {firstGroupings(role).map(groups)}
                <Coverages />
              </div>
              <div className="grid min-w-0 gap-4">
                <Movers focusing={focusing} />
                {laterGroupings.map(groups)}
              </div>
            </div>
          </div>
        </div>
      ) : error !== undefined ? (
        <div role="alert" className="grid flex-1 place-content-center justify-items-center gap-3 p-8 text-center">
          <p className="text-ink2">{error instanceof Error ? error.message : 'The overview could not be loaded'}</p>
          <CommandButton command={commandOf('view.refresh')} label="Retry" primary />
        </div>
      ) : (
        <Skeleton />
      )}
    </section>
  )
}

/** Returns the entry that `Tab` reaches: the focused one or, once that is gone, the first. */
function useFocusedEntry(role: ReturnType<typeof useRole>): string {
  const { entry } = useSnapshot(overviewFocus)
  const { range, allGroups: _ } = useSnapshot(overviewView)
  // What the entries are made of: with it they appear and go.
  useHealthSummary(groupingsOf(role))
  useAlarmLoad(range)
  useNewestFindings()
  useFindingGroups()
  useMovers()
  useSupplyChanges()
  const entries = loadedEntries(role)
  return entries.some(({ id }) => id === entry) ? entry! : (entries[0]?.id ?? 'state act')
}

function States({ summary, focusing }: { summary: HealthSummary; focusing: Focusing }) {
  const total = totalOf(summary.counts)
  return (
    <section aria-labelledby="overview-states" className="grid gap-2.5">
      <div className="flex flex-wrap items-baseline gap-x-3">
        <h2 id="overview-states" className="mr-auto text-[13px] font-semibold">
          {plural(total, 'device')} by health
        </h2>
        <p className="text-[12px] text-ink3 phone:hidden">
          <CommandKeys command={commandOf('overview.down')} /> moves,{' '}
          <CommandKeys command={commandOf('overview.open')} /> selects the devices or opens one
        </p>
      </div>
      <p role="status" className="text-ink2 empty:hidden">
        {pendingText(summary.pending)}
      </p>
      <Bar parts={stateParts(summary.counts)} total={total} thick />
      <ul className="grid grid-cols-2 gap-2.5 @2xl:grid-cols-5">
        {stateEntries(summary).map(entry => (
          <StateCard key={entry.id} entry={entry} total={total} focusing={focusing} />
        ))}
      </ul>
    </section>
  )
}

function Groups({ by, summary, focusing }: { by: Grouping; summary: HealthSummary; focusing: Focusing }) {
  const { allGroups } = useSnapshot(overviewView)
  const entries = groupEntries(by, summary, allGroups)
  const largest = Math.max(1, ...entries.map(({ count }) => count))
  const more = groupsOf(by, summary).length - entries.length
  return (
    <Card title={titles[by]} actions={by === 'supply' && entries.length > 0 && <WaterHint />}>
      {entries.length === 0 ? (
        <p className="text-ink2">{empty[by]}</p>
      ) : (
        <ul aria-label={titles[by]} className="-mx-2 grid">
          {entries.map(entry => (
            <GroupRow key={entry.id} entry={entry} largest={largest} focusing={focusing} />
          ))}
        </ul>
      )}
      {(more > 0 || entries.length > maxGroups) && (
        <button
          type="button"
          data-command="overview.allGroups"
          className="mt-1 inline-flex min-h-6 items-center gap-1.5 text-[12px] text-accent hover:underline"
          onClick={() => void run('overview.allGroups')}
        >
          {more > 0 ? `Show ${more} more` : 'Show less'}
          <CommandKeys command={commandOf('overview.allGroups')} />
        </button>
      )}
    </Card>
  )
}

/** How the water analysis of a supply is set. */
const WaterHint = () => (
  <p className="text-[12px] text-ink3 phone:hidden">
    <CommandKeys command={commandOf('overview.waterAnalysis')} /> sets the water analysis
  </p>
)

function Skeleton() {
  return (
    <div aria-busy="true" aria-label="Loading" role="group" className="grid gap-4 p-4">
      <span className="skeleton block h-2.5" />
      <div className="grid grid-cols-2 gap-2.5 sm:grid-cols-5">
        {Array.from({ length: 5 }, (_, index) => (
          <span key={index} className="skeleton block h-[92px]" />
        ))}
      </div>
    </div>
  )
}
