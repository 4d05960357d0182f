import type { ReactNode } from 'react'
import { useSnapshot } from 'valtio'
import { useAlarmLoad } from '../../api/health/alarmLoad.ts'
import type { AlarmLoad as Load } from '../../api/contract/notifications.ts'
import { worstEntries, type WorstEntry } from '../../commands/overview/entries.ts'
import { CommandSegments } from '../../commands/surfaces/buttons/CommandSegments.tsx'
import { SurfaceButtons } from '../../commands/surfaces/buttons/SurfaceButtons.tsx'
import { formatDateTime, formatNumber } from '../../domain/format.ts'
import { plural } from '../../domain/plural.ts'
import { floodFrom, loadDays, takenPerDay, type LoadRange } from '../../domain/notifications/alarmLoad.ts'
import { notificationDefinitions, type NotificationDefinition } from '../../domain/notifications/definitions.ts'
import { overviewView } from '../../store/overview/view.ts'
import { AlarmBars } from './AlarmBars.tsx'
import { AlarmTable } from './AlarmTable.tsx'
import { Card, CardContent } from './Card.tsx'
import { EntryButton, type Focusing } from './entries.tsx'

/** How many alarms a person gets, time in flood, alarms by day, and the devices with the most. */
export function AlarmLoad({ focusing }: { focusing: Focusing }) {
  const { range, table } = useSnapshot(overviewView)
  const { data, error } = useAlarmLoad(range)
  return (
    <Card title="Alarms" actions={<AlarmActions />}>
      <CardContent data={data} error={error} empty="" isEmpty={() => false}>
        {load => (
          <div className="grid gap-x-[50px] gap-y-4 @3xl:grid-cols-2">
            <div className="grid min-w-0 content-start gap-4">
              <Figures load={load} />
              {table ? <AlarmTable days={load.days} /> : <AlarmBars days={load.days} />}
            </div>
            <Worst load={load} focusing={focusing} />
          </div>
        )}
      </CardContent>
    </Card>
  )
}

/** The range, and the buttons of the alarms. */
export function AlarmActions() {
  const { range, table } = useSnapshot(overviewView)
  return (
    <div className="flex flex-wrap items-center gap-1">
      <div className="mr-1">
        <CommandSegments on="overviewRange" label="Range of alarms" value={`overview.${range}`} nameOf={rangeName} />
      </div>
      <SurfaceButtons
        on="overview"
        iconOnly
        overrides={{
          'overview.table': { label: table ? 'Show bars' : 'Show table', ...(table && { className: '!text-accent' }) },
        }}
      />
    </div>
  )
}

/** `overview.week` → `7 days` */
const rangeName = (command: string) => `${loadDays[command.slice('overview.'.length) as LoadRange]} days`

/** The load in three numbers. */
function Figures({ load }: { load: Load }) {
  const { per_person_day, flood_windows, windows, flood_hours, fullest, incidents, incident_notifications } = load
  const taken = per_person_day / takenPerDay
  const share = windows > 0 ? flood_windows / windows : 0
  return (
    <div className="grid gap-3">
      <dl className="grid grid-cols-2 gap-4 @sm:grid-cols-3">
        <Figure
          name="Alarms a person-day"
          value={formatNumber(per_person_day, per_person_day < 10 ? 1 : 0)}
          tone={taken > 1 ? 'text-bad' : ''}
          note={`${formatNumber(taken * 100)} % of at most ${takenPerDay}`}
          meter={Math.min(1, taken)}
          className="col-span-2 @sm:col-span-1"
        />
        <Figure
          name="Time in flood"
          value={`${formatNumber(share * 100, share > 0 && share < 0.1 ? 1 : 0)} %`}
          tone={flood_windows > 0 ? 'text-warn' : ''}
          note={
            flood_windows > 0
              ? `${formatNumber(flood_hours, 1)} h of ${floodFrom}+ in 10 min`
              : `Never ${floodFrom} in 10 min`
          }
        />
        <Figure
          name="Most in 10 min"
          value={fullest ? formatNumber(fullest.alarms) : '0'}
          note={fullest ? formatDateTime(fullest.at) : 'No alarms'}
        />
      </dl>
      {incidents > 0 && (
        <p className="text-[12px] text-ink3">
          {incidents === 1 ? '1 incident counts once' : `${formatNumber(incidents)} incidents count once each`} instead
          of {formatNumber(incident_notifications)} notifications.
        </p>
      )}
    </div>
  )
}

interface FigureProps {
  readonly name: string
  readonly value: string
  readonly note: string
  readonly tone?: string
  /** A share, 0–1, shown as a bar. */
  readonly meter?: number
  readonly className?: string
}

function Figure({ name, value, note, tone = '', meter, className = '' }: FigureProps) {
  return (
    <div className={`grid content-start gap-0.5 ${className}`}>
      <dt className="text-[12px] text-ink2">{name}</dt>
      <dd className={`text-[26px] leading-8 font-semibold tabular-nums ${tone}`}>{value}</dd>
      {meter !== undefined && (
        <dd aria-hidden="true" className="my-0.5 h-1 overflow-hidden rounded-full bg-mute-soft">
          <span
            className={`block h-full ${meter >= 1 ? 'bg-bad' : 'bg-accent'}`}
            style={{ width: `${Math.max(1, meter * 100)}%` }}
          />
        </dd>
      )}
      <dd className="text-[12px] text-ink3">{note}</dd>
    </div>
  )
}

/** The devices with the most alarms. */
function Worst({ load, focusing }: { load: Load; focusing: Focusing }) {
  const entries = worstEntries(load)
  const most = entries[0]?.worst.alarms ?? 1
  return (
    <Part
      title={`Devices with the most alarms${load.worst_from > load.from ? ` since ${formatDateTime(load.worst_from)}` : ''}`}
    >
      {entries.length === 0 ? (
        <p className="text-ink2">No device has its own alarms.</p>
      ) : (
        <ol aria-label="Devices with the most alarms" className="-mx-2 grid">
          {entries.map(entry => (
            <WorstRow key={entry.id} entry={entry} most={most} focusing={focusing} />
          ))}
        </ol>
      )}
    </Part>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="@container min-w-0">
      <h3 className="mb-1 text-[12px] text-ink2">{title}</h3>
      {children}
    </div>
  )
}

/** A device, the number of its alarms as a bar, and their most frequent type; opens the device. */
function WorstRow({ entry, most, focusing }: { entry: WorstEntry; most: number; focusing: Focusing }) {
  const { device, alarms, type, of_type } = entry.worst
  const name = device.description || device.bssid
  const { text, short }: NotificationDefinition = notificationDefinitions[type]
  const kind = short ?? text
  return (
    <li className="grid">
      <EntryButton
        id={entry.id}
        label={`${name}: ${formatNumber(alarms)}, ${kind}${alarms > 1 ? ` ${plural(of_type, 'time')}` : ''}, ${device.company_name}`}
        focusing={focusing}
        className="grid grid-cols-[minmax(0,1fr)_9rem_2.5rem] items-center gap-x-3 gap-y-1 rounded-md px-2 py-1.5 text-left hover:bg-sunk @md:grid-cols-[minmax(0,10.5rem)_minmax(40px,1fr)_11.5rem_minmax(2rem,auto)]"
      >
        <span
          className="col-span-2 truncate @md:col-span-1"
          title={`${name} · ${device.bssid} · ${device.company_name}`}
        >
          {name}
        </span>
        <span className="text-right font-medium tabular-nums @md:order-last">{formatNumber(alarms)}</span>
        <span aria-hidden="true" className="h-2 overflow-hidden rounded-full bg-mute-soft">
          <span className="block h-full rounded-full bg-accent" style={{ width: `${(alarms / most) * 100}%` }} />
        </span>
        <span
          className="col-span-2 truncate text-right text-[12px] text-ink2 @md:col-span-1 @md:text-left"
          title={kind}
        >
          {kind}
        </span>
      </EntryButton>
    </li>
  )
}
