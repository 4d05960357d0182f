import { useCallback, useId, useMemo } from 'react'
import { subscribe, useSnapshot } from 'valtio'
import type { DeviceHealth } from '../../../api/contract/health/device.ts'
import type { ChartTheme } from '../../../commands/surfaces/charts/chartTheme.ts'
import { dayName, ticksOf } from '../../../domain/charts/axis.ts'
import type { GridRow } from '../../../domain/charts/grid.ts'
import { beginningOn } from '../../../domain/charts/healthBeginnings.ts'
import { bandAround, healthLine, healthLineInWords, withGaps } from '../../../domain/charts/healthLines.ts'
import { formatNumber } from '../../../domain/format.ts'
import { channelTexts } from '../../../domain/health/texts/channelTexts.ts'
import { activeFindings } from '../../../domain/health/texts/explain.ts'
import type { Channel } from '../../../domain/health/types/channels.ts'
import { msPerDay } from '../../../domain/time.ts'
import { healthCursor, healthView } from '../../../store/deviceHealth.ts'
import { LineChart, type PlotFrame, type SharedCursor } from '../../../ui/chart/LineChart.tsx'
import type { PlotLine } from '../../../ui/chart/plot.ts'

const cursor: SharedCursor = {
  read: () => ({ x: healthCursor.x, anchor: undefined }),
  subscribe: moved => subscribe(healthCursor, moved),
}

const plain: Pick<PlotLine, 'bold' | 'isolated' | 'bands'> = { bold: false, isolated: [], bands: [] }

/**
 * One channel of health: the device's line with its band, its neighbours, thresholds, the beginnings of findings, and marks of
 * replacements.
 */
export function HealthChart(props: {
  channel: Channel
  health: DeviceHealth
  zone: string
  axis: readonly GridRow[]
  theme: ChartTheme
  className: string
}) {
  const { channel, health, zone, axis, theme, className } = props
  const { raw } = useSnapshot(healthView)
  const id = useId()
  const line = useMemo(
    () => healthLine({ ...health, findings: activeFindings(health.findings) }, channel, zone),
    [health, channel, zone],
  )
  const from = axis[0]!.x
  const to = axis.at(-1)!.x + msPerDay
  // A line that says nothing about the membrane does not stand out.
  const colour = line.isHidden ? theme.text : theme.colour('var(--accent)')

  const lines = useCallback((): PlotLine[] => {
    const straight = (y: number): PlotLine => ({
      ...plain,
      colour: theme.tones.warn,
      dash: [1, 3],
      points: [
        { x: from, y },
        { x: to, y },
      ],
    })
    return [
      ...line.thresholds.map(straight),
      { ...plain, colour: theme.text, dash: [4, 3], points: withGaps(line.neighbours) },
      ...(raw ? [{ ...plain, thin: true, colour: theme.text, dash: [], points: withGaps(line.measured) }] : []),
      {
        colour,
        dash: [],
        bold: !line.isHidden,
        points: withGaps(line.points),
        isolated: line.days.length === 1 ? line.days : [],
        dots: raw ? line.days : [],
        bands: bandAround(line.points),
      },
    ]
  }, [line, raw, from, to, colour, theme])
  const frame = useMemo(
    (): PlotFrame => ({
      from,
      to,
      ticks: pixels => ticksOf(axis, pixels - 60),
      fromZero: false,
      stepped: false,
      empty: false,
      includedRange: undefined,
      marks: line.replacements.map(x => ({ x, colour: theme.tones.mute })),
      spans: line.beginnings.map(({ name, severity, early, likely, late }) => ({
        from: early,
        at: likely,
        to: late + msPerDay,
        label: `${name} began`,
        colour: theme.tones[severity === 'act' ? 'bad' : 'warn'],
      })),
      now: undefined,
    }),
    [from, to, axis, line, theme],
  )
  const dotsAt = useCallback(
    (x: number) => line.points.filter(point => point.x === x).map(({ y }) => ({ y, colour })),
    [line, colour],
  )
  return (
    <section aria-labelledby={id} className="flex min-w-0 flex-col">
      <h3 id={id} className="text-[12px] font-medium">
        {channelTexts[channel].name}
        <span className="font-normal text-ink3">, % of new{line.isHidden && ', hidden by the bypass'}</span>
      </h3>
      <div className={`relative flex min-h-0 ${className}`}>
        <LineChart
          label={`${channelTexts[channel].name}: ${healthLineInWords(line)}`}
          lines={lines}
          frame={frame}
          theme={theme}
          cursor={cursor}
          dotsAt={dotsAt}
          onRead={x => {
            healthCursor.channel = channel
            healthCursor.x = x === undefined ? undefined : nearest(line.points, x)
          }}
          tooltip={<Tooltip channel={channel} line={line} />}
        />
      </div>
    </section>
  )
}

function Tooltip({ channel, line }: { channel: Channel; line: ReturnType<typeof healthLine> }) {
  const { x, channel: active } = useSnapshot(healthCursor)
  const { raw } = useSnapshot(healthView)
  if (x === undefined || active !== channel) return null
  const at = (points: readonly { x: number; y: number }[]) => points.find(point => point.x === x)?.y
  const isWeek = line.weeks.includes(x)
  const values = [
    ['Median', isWeek ? undefined : at(line.points)],
    [isWeek ? 'Mean' : 'Day', at(line.days)],
    ['As measured', raw ? at(line.measured) : undefined],
    ['Neighbours', at(line.neighbours)],
  ] as const
  return (
    <div className="raised rounded-lg px-3 py-2 text-[12px] whitespace-nowrap">
      <p className="mb-1 font-medium">
        {isWeek && 'Week of '}
        {dayName(x)}
      </p>
      {values.map(
        ([name, value]) =>
          value !== undefined && (
            <p key={name} className="flex justify-between gap-4">
              <span className="text-ink2">{name}</span>
              <span className="numeric">{formatNumber(value, 1)} %</span>
            </p>
          ),
      )}
      {line.beginnings.map(
        (each, index) =>
          beginningOn(each, x) && (
            <p key={index} className="text-ink2">
              {beginningOn(each, x)}
            </p>
          ),
      )}
      {line.replacements.includes(x) && <p className="text-ink2">Cartridge replaced</p>}
    </div>
  )
}

/** Returns the position of the day with a value that is nearest; undefined if there is none. */
const nearest = (points: readonly { x: number }[], x: number): number | undefined =>
  points.reduce<number | undefined>(
    (best, point) => (best === undefined || Math.abs(point.x - x) < Math.abs(best - x) ? point.x : best),
    undefined,
  )
