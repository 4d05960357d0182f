/** What the side panel says about several devices: the selected ones, or those on the page. */
import type { ReactNode } from 'react'
import useSWR from 'swr'
import { useSnapshot } from 'valtio'
import type { Device } from '../../api/contract/devices.ts'
import { maxPerCall } from '../../api/contract/endpoint.ts'
import { listKey, useList } from '../../api/hooks.ts'
import { queryOf, readList, searchOf } from '../../api/readList.ts'
import { textOf } from '../../domain/columns/values.ts'
import { deviceColumns } from '../../domain/columns/devices.ts'
import type { Column } from '../../domain/columns/column.ts'
import { countValues, dueCartridges, rangeOf, type Count, type Due } from '../../domain/deviceSummary.ts'
import type { StatusCode } from '../../domain/device.ts'
import { expiringDays } from '../../domain/filterLife.ts'
import { formatNumber, noValue } from '../../domain/format.ts'
import { plural } from '../../domain/plural.ts'
import { unitOf, type UnitChoice } from '../../domain/units.ts'
import { lists, type ListState } from '../../store/lists.ts'
import { useUnits } from '../../store/preferences.ts'
import type { DeviceItem, ListSearch } from '../../store/selection.ts'
import { Fact, Facts } from '../../ui/Facts.tsx'
import { useNow } from '../../ui/useNow.ts'
import { useKnownDevices } from './knownDevices.ts'
import { StatusMark } from './StatusMark.tsx'

/** Sums up individually selected devices: from the stored selection and from the pages read so far. */
export function SelectionInfo({ targets }: { targets: readonly DeviceItem[] }) {
  const known = useKnownDevices(targets)
  return (
    <Summary
      statuses={targets.map(({ status }) => status as StatusCode)}
      companies={targets.map(({ company }) => company)}
      known={known}
      note={known.length < targets.length ? unknownNote(known.length, targets.length) : undefined}
    />
  )
}

const unknownNote = (known: number, all: number) =>
  known === 0
    ? 'The models, firmware, readings and filters of these devices are not on the pages opened so far.'
    : `Models, firmware, readings and filters are those of ${formatNumber(known)} of ${formatNumber(all)} devices. The others are not on the pages opened so far.`

/** Sums up the devices on the page on screen, while none of them is chosen. */
export function PageInfo() {
  const { data } = useList('devices', queryOf(useSnapshot(lists.devices) as ListState))
  const devices = data?.data ?? []
  if (devices.length === 0) return null
  return (
    <Summary
      statuses={devices.map(({ status }) => status)}
      companies={devices.map(({ vendor }) => vendor.company_name)}
      known={devices}
      note={`About the ${devices.length === 1 ? 'device' : `${formatNumber(devices.length)} devices`} on this page. Select one to see its details.`}
    />
  )
}

/** Sums up the matches of a followed search, as many as one call returns. */
export function MatchesInfo({ query, count }: { query: ListSearch; count: number }) {
  const page = { offset: 0, limit: maxPerCall, ...searchOf(query) }
  const { data, error } = useSWR(listKey('devices', page), () => readList('devices', page), {
    revalidateOnFocus: false,
  })
  if (error !== undefined && !data)
    return <p className="p-4 text-bad">{error instanceof Error ? error.message : 'The devices could not be loaded'}</p>
  if (!data) return <div className="m-4 h-40 skeleton" />
  const known = data.data
  return (
    <Summary
      statuses={known.map(({ status }) => status)}
      companies={known.map(({ vendor }) => vendor.company_name)}
      known={known}
      note={
        known.length < count
          ? `Based on the first ${formatNumber(known.length)} of ${formatNumber(count)} matching devices.`
          : undefined
      }
    />
  )
}

function Summary(props: {
  statuses: readonly StatusCode[]
  companies: readonly string[]
  /** The devices with all their values. */
  known: readonly Device[]
  note: string | undefined
}) {
  const { known } = props
  const units = useUnits()
  const now = useNow()
  const due = dueCartridges(known, now)
  return (
    <>
      {props.note && <p className="border-b border-line bg-sunk px-4 py-2.5 text-ink2">{props.note}</p>}
      <Counts title="Status" counts={countValues(props.statuses)} name={status => <StatusMark status={status} />} />
      {known.length > 0 && (
        <>
          <Facts title="Filters to replace">
            <Fact name="Expired">
              <DueText due={due.expired} tone="text-bad" />
            </Fact>
            <Fact name={`Due within ${expiringDays} days`}>
              <DueText due={due.expiring} tone="text-warn" />
            </Fact>
          </Facts>
          <Facts title="Latest readings (min–max)" columns>
            {measured.map(id => (
              <Fact key={id} name={deviceColumns[id].label}>
                {rangeText(
                  deviceColumns[id],
                  known.map(device => device[id]),
                  units,
                )}
              </Fact>
            ))}
          </Facts>
        </>
      )}
      <Counts title="Company" counts={countValues(props.companies)} />
      {known.length > 0 && (
        <>
          <Counts title="Model" counts={countValues(known.map(({ model }) => model.name))} />
          <Counts title="Firmware" counts={countValues(known.map(({ firmware }) => firmware || noValue))} />
        </>
      )}
    </>
  )
}

const measured = ['recovery_rate', 'rejection_rate', 'temperature', 'pressure', 'feed_tds', 'permeate_tds'] as const

/** Formats the range of a column's values with its unit: `18.2 – 24.6 °C`. */
function rangeText(column: Column, values: readonly (number | null)[], units: UnitChoice): string {
  const range = rangeOf(values)
  if (!range) return noValue
  const [low, high] = [textOf(column, range.min, units), textOf(column, range.max, units)]
  const unit = column.quantity ? unitOf(column.quantity, units).symbol : (column.unit ?? '')
  return `${low === high ? low : `${low} – ${high}`} ${unit}`
}

const DueText = ({ due: { cartridges, devices }, tone }: { due: Due; tone: string }) =>
  cartridges === 0 ? (
    'None'
  ) : (
    <span className={`font-medium ${tone}`}>
      {formatNumber(cartridges)} in {plural(devices, 'device')}
    </span>
  )

/** The maximum number of values that are listed. */
const maxCounts = 6

/** How many devices share each value, with bars that compare the numbers. */
function Counts<Value extends string | number>(props: {
  title: string
  counts: readonly Count<Value>[]
  name?: (value: Value) => ReactNode
}) {
  const { title, counts, name = String } = props
  const most = counts[0]?.count ?? 1
  const shown = counts.length > maxCounts ? counts.slice(0, maxCounts - 1) : counts
  const others = counts.slice(shown.length)
  return (
    <section className="border-b border-line px-4 py-3.5">
      <h3 className="mb-2 text-[12.5px] font-semibold">{title}</h3>
      <dl className="grid gap-1.5">
        {shown.map(({ value, count }) => (
          <div key={value} className="grid grid-cols-[minmax(0,1fr)_72px_40px] items-center gap-x-3">
            <dt className="truncate text-ink2">{name(value)}</dt>
            <dd aria-hidden="true" className="h-1 rounded-full bg-mute-soft">
              <span className="block h-full rounded-full bg-accent" style={{ width: `${(count / most) * 100}%` }} />
            </dd>
            <dd className="numeric">{formatNumber(count)}</dd>
          </div>
        ))}
        {others.length > 0 && (
          <div className="flex justify-between gap-x-3">
            <dt className="text-ink3">{formatNumber(others.length)} others</dt>
            <dd className="numeric">{formatNumber(others.reduce((sum, { count }) => sum + count, 0))}</dd>
          </div>
        )}
      </dl>
    </section>
  )
}
