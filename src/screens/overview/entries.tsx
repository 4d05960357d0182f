/** The entries of the overview: each is a button that selects the devices it counts, or opens a device. */
import type { ReactNode, RefObject } from 'react'
import type { AnalysedSupply } from '../../api/contract/health/water.ts'
import { Icon } from '../../commands/surfaces/buttons/Icon.tsx'
import { run } from '../../commands/surfaces/run/run.ts'
import type { CountEntry, Counts, GroupEntry } from '../../commands/overview/entries.ts'
import { shownStates } from '../../commands/overview/entries.ts'
import { healthStateNames, type HealthCondition } from '../../domain/columns/health.ts'
import { analysisText } from '../../domain/health/water/waterTexts.ts'
import { overviewFocus } from '../../store/focus.ts'
import { Bar } from '../../ui/Bar.tsx'
import { useRowFocus } from '../../ui/focus/rowFocus.ts'
import { formatNumber } from '../../domain/format.ts'

/** The focused entry, and the keyboard move that focused it. */
export interface Focusing {
  readonly focused: string
  readonly moves: number
  readonly handledMove: RefObject<number>
}

/** The background of each state in bars. */
const barTones: Readonly<Record<HealthCondition, string>> = {
  act: 'bg-bad',
  watch: 'bg-warn',
  good: 'bg-ok',
  learning: 'bg-ink3/40',
}
const numberTones: Readonly<Record<string, string>> = {
  'state act': 'text-bad',
  'state watch': 'text-warn',
  'state good': 'text-ok',
  due: 'text-accent',
}

/** Returns the parts of a bar, the state that needs work first. */
export const stateParts = (counts: Counts) =>
  shownStates.map(state => ({ count: counts[state] ?? 0, tone: barTones[state] }))

/** Returns the states in words: `3 act · 2 watch`; without `only`, all that are not zero. */
function statesText(counts: Counts, only: readonly HealthCondition[] = shownStates): string {
  return only
    .filter(state => (counts[state] ?? 0) > 0)
    .map(state => `${formatNumber(counts[state] ?? 0)} ${healthStateNames[state].toLowerCase()}`)
    .join(' · ')
}

/** A button that keys move to, and that runs `overview.open` on its entry. */
export function EntryButton(props: {
  id: string
  label: string
  className: string
  focusing: Focusing
  children: ReactNode
}) {
  const { id, focusing } = props
  const isFocused = focusing.focused === id
  const element = useRowFocus<HTMLButtonElement>(isFocused ? focusing.moves : 0, focusing.handledMove, true)
  return (
    <button
      ref={element}
      type="button"
      aria-label={props.label}
      data-command="overview.open"
      tabIndex={isFocused ? 0 : -1}
      className={props.className}
      onFocus={() => (overviewFocus.entry = id)}
      onClick={() => {
        overviewFocus.entry = id
        void run('overview.open')
      }}
    >
      {props.children}
    </button>
  )
}

/** A state, or what is due soon: its number, large, and its share of all devices. */
export function StateCard({ entry, total, focusing }: { entry: CountEntry; total: number; focusing: Focusing }) {
  const { id, name, count } = entry
  const share = total > 0 ? Math.round((count / total) * 100) : 0
  return (
    <li className="grid last:col-span-2 @2xl:last:col-span-1">
      <EntryButton
        id={id}
        label={`${name}: ${formatNumber(count)}, ${share} % of all devices`}
        focusing={focusing}
        className="grid gap-0.5 rounded-lg border border-line bg-panel px-4 py-3 text-left hover:bg-sunk"
      >
        <span className="text-[12px] text-ink2">{name}</span>
        <span className="flex items-baseline justify-between gap-2">
          <span
            className={`text-[26px] leading-8 font-semibold tabular-nums ${count > 0 ? (numberTones[id] ?? '') : 'text-ink3'}`}
          >
            {formatNumber(count)}
          </span>
          <span className="text-[12px] text-ink3 tabular-nums">{share} %</span>
        </span>
      </EntryButton>
    </li>
  )
}

/** Returns the water of a supply in a line; several vendors may use one label for different waters. */
function waterText(analyses: readonly AnalysedSupply[]): string {
  const [only, other] = analyses
  if (!only) return 'No water analysis'
  if (other) return `Water analyses of ${analyses.length} vendors`
  const { calcium_hardness, alkalinity, ph } = only.water
  return `Hardness ${analysisText(calcium_hardness)}, alkalinity ${analysisText(alkalinity)} mg/l, pH ${analysisText(ph)}`
}

/** A group: how many devices it has, and in which states, as a bar. */
export function GroupRow({ entry, largest, focusing }: { entry: GroupEntry; largest: number; focusing: Focusing }) {
  const { id, name, count, counts, analyses } = entry
  const todo = statesText(counts, ['act', 'watch'])
  const water = analyses && waterText(analyses)
  return (
    <li className={water === undefined ? 'grid' : 'grid grid-cols-[minmax(0,1fr)_auto] items-start'}>
      <EntryButton
        id={id}
        // What is visible comes first, in its order.
        label={[`${name}: ${formatNumber(count)}`, todo, water, statesText(counts, ['good', 'learning'])]
          .filter(Boolean)
          .join(', ')}
        focusing={focusing}
        className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 gap-y-1 rounded-md px-2 py-1.5 text-left hover:bg-sunk @md:grid-cols-[minmax(0,10.5rem)_minmax(60px,1fr)_7.5rem_minmax(2.5rem,auto)]"
      >
        <span className="truncate" title={name}>
          {name}
        </span>
        <span className="text-right font-medium tabular-nums @md:order-last">{formatNumber(count)}</span>
        <span style={{ width: `${Math.max(2, (count / largest) * 100)}%` }}>
          <Bar parts={stateParts(counts)} total={count} thick />
        </span>
        <span className="truncate text-right text-[12px] text-ink2 tabular-nums @md:text-left">{todo}</span>
        {water !== undefined && (
          <span className="col-span-full -mt-0.5 truncate text-[11.5px] text-ink3 tabular-nums @md:order-last">
            {water}
          </span>
        )}
      </EntryButton>
      {water !== undefined && <WaterButton entry={entry} />}
    </li>
  )
}

/** The button of a supply that sets its water analysis; keys do it for the focused entry. */
function WaterButton({ entry: { id, name, analyses } }: { entry: GroupEntry }) {
  return (
    <button
      type="button"
      data-command="overview.waterAnalysis"
      tabIndex={-1}
      aria-label={`Set water analysis of ${name}`}
      title={analyses?.length === 0 ? 'Set water analysis' : 'Change water analysis'}
      className="icon-btn mt-0.5 !text-ink3 hover:!text-accent"
      onClick={() => {
        overviewFocus.entry = id
        void run('overview.waterAnalysis')
      }}
    >
      <Icon name="supply" />
    </button>
  )
}
