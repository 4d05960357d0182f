import { useRef, type ReactNode } from 'react'
import { useHealthSummary, useMovers } from '../../api/health/summary.ts'
import { groupEntries, groupingsOf, moverEntries, stateEntries, totalOf } from '../../commands/overview/entries.ts'
import { commandOf } from '../../commands/core/registry.ts'
import { CommandButton, CommandKeys } from '../../commands/surfaces/buttons/CommandButton.tsx'
import { moverDays, type HealthSummary } from '../../api/contract/health.ts'
import type { Grouping } from '../../api/health/summary.ts'
import { overviewFocus } from '../../store/focus.ts'
import { useRole } from '../../store/session.ts'
import { useSnapshot } from 'valtio'
import { Bar } from '../../ui/Bar.tsx'
import { GroupRow, MoverRow, StateCard, stateParts, type Focusing } from './entries.tsx'

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

/** The health of all devices in pictures: by state, cause, model, supply and vendor, and the newest findings. */
export function OverviewScreen() {
  const role = useRole()
  const { data, error } = useHealthSummary('cause')
  const { entry, moves } = useSnapshot(overviewFocus)
  const handledMove = useRef(moves)
  const focusing: Focusing = { focused: entry ?? 'state act', moves, handledMove }
  return (
    <section aria-labelledby="overview-title" className="flex min-h-0 min-w-0 flex-1 flex-col">
      <h1 id="overview-title" tabIndex={-1} className="sr-only">
        Overview
      </h1>
      {data ? (
        <div className="min-h-0 flex-1 overflow-auto">
          <div className="@container mx-auto grid max-w-[1320px] gap-4 p-3 sm:p-4">
            <States summary={data} focusing={focusing} />
            <div className="grid items-start gap-4 @3xl:grid-cols-2">
              {groupingsOf(role).map(by => (
                <Groups key={by} by={by} focusing={focusing} />
              ))}
              <Movers focusing={focusing} />
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

function States({ summary, focusing }: { summary: HealthSummary; focusing: Focusing }) {
  const total = totalOf(summary.counts)
  return (
    <section aria-labelledby="overview-states" className="grid gap-2.5">
      <div className="flex flex-wrap items-baseline gap-x-3">
        <h2 id="overview-states" className="mr-auto text-[13px] font-semibold">
          {total === 1 ? '1 device' : `${total.toLocaleString('en')} devices`} by health
        </h2>
        <p className="text-[12px] text-ink3 phone:hidden">
          <CommandKeys command={commandOf('overview.down')} /> moves,{' '}
          <CommandKeys command={commandOf('overview.open')} /> selects the devices
        </p>
      </div>
      <Bar parts={stateParts(summary.counts)} total={total} thick />
      <ul className="grid grid-cols-2 gap-2.5 @2xl:grid-cols-5">
        {stateEntries(summary).map(entry => (
          <StateCard key={entry.id} entry={entry} total={total} focusing={focusing} />
        ))}
      </ul>
    </section>
  )
}

function Groups({ by, focusing }: { by: Grouping; focusing: Focusing }) {
  const { data, error } = useHealthSummary(by)
  const entries = data ? groupEntries(by, data) : []
  const largest = Math.max(1, ...entries.map(({ count }) => count))
  const more = (data?.groups.length ?? 0) - entries.length
  return (
    <Card title={titles[by]}>
      {data === undefined ? (
        error === undefined ? (
          <CardSkeleton />
        ) : (
          <p role="alert" className="text-ink2">
            {error instanceof Error ? error.message : 'This could not be loaded'}
          </p>
        )
      ) : entries.length === 0 ? (
        <p className="text-ink2">{empty[by]}</p>
      ) : (
        <ul aria-label={titles[by]} className="-mx-2 grid">
          {entries.map(entry => (
            <GroupRow key={entry.id} entry={entry} largest={largest} focusing={focusing} />
          ))}
        </ul>
      )}
      {more > 0 && <p className="mt-1 text-[12px] text-ink3">and {more} more, with less to do</p>}
    </Card>
  )
}

function Movers({ focusing }: { focusing: Focusing }) {
  const { data } = useMovers()
  const title = `New findings of the last ${moverDays} days`
  return (
    <Card title={title}>
      {data === undefined ? (
        <CardSkeleton />
      ) : data.length === 0 ? (
        <p className="text-ink2">No device has become worse.</p>
      ) : (
        <ul aria-label={title} className="-mx-2 grid">
          {moverEntries(data).map(entry => (
            <MoverRow key={entry.id} entry={entry} focusing={focusing} />
          ))}
        </ul>
      )}
    </Card>
  )
}

function Card({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="@container min-w-0 rounded-lg border border-line bg-panel px-4 py-3">
      <h2 className="mb-2 text-[13px] font-semibold">{title}</h2>
      {children}
    </section>
  )
}

function CardSkeleton() {
  return (
    <div aria-hidden="true" className="grid gap-3 py-1">
      {[90, 70, 50].map(width => (
        <span key={width} className="skeleton block h-4" style={{ width: `${width}%` }} />
      ))}
    </div>
  )
}

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
