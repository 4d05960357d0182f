import { useMemo } from 'react'
import { useSnapshot } from 'valtio'
import { CommandButton } from '../../commands/surfaces/buttons/CommandButton.tsx'
import { commandOf } from '../../commands/core/registry.ts'
import { bandDays } from '../../domain/charts/bands.ts'
import { enoughWaterTexts, gapText, symbolOf } from '../../domain/charts/data.ts'
import { extentOf, linesOf, type ChartModel } from '../../domain/charts/lines.ts'
import type { ChartKind } from '../../domain/charts/charts.ts'
import type { UnitChoice } from '../../domain/units.ts'
import { charts, cursor } from '../../store/charts.ts'
import { ChartPlot, type PlotProps } from './ChartPlot.tsx'
import { dashes } from './dashes.ts'
import { useBands } from './useBands.ts'

/** One of the eight charts: title, unit, legend and lines. */
export function ChartCard(props: PlotProps) {
  const { model, kind, units } = props
  return (
    <section aria-labelledby={`chart-${kind.id}`} className="flex min-h-0 min-w-0 flex-col bg-panel px-2 pt-1.5 pb-1">
      <ChartHeader {...{ model, kind, units }} />
      <ChartPlot {...props} />
    </section>
  )
}

/** One of the eight charts as a small chart for each device that is not hidden, all with the same axes. */
export function SmallCharts(props: PlotProps) {
  const { model, kind, units, hidden, marks } = props
  const { enlargedChart, highlightedDevice } = useSnapshot(charts)
  const { device: usedDevice } = useSnapshot(cursor)
  const asBands = useBands(model)
  const values = useMemo(
    () => extentOf(linesOf(model, kind, units, hidden, asBands)),
    [model, kind, units, hidden, asBands],
  )
  const small = useMemo(() => {
    const bssids = model.devices.map(({ bssid }) => bssid)
    return model.devices
      .filter(({ bssid }) => !hidden.has(bssid))
      .map(device => ({
        device,
        others: new Set(bssids.filter(bssid => bssid !== device.bssid)),
        marks: marks.filter(({ notification }) => notification.device.bssid === device.bssid),
      }))
  }, [model, hidden, marks])
  const bssids = small.map(({ device }) => device.bssid)
  const activeDevice =
    [usedDevice, highlightedDevice].find(wanted => wanted !== undefined && bssids.includes(wanted)) ?? bssids[0]
  return (
    <section aria-labelledby={`chart-${kind.id}`} className="flex min-w-0 flex-col bg-panel px-2 pt-1.5 pb-1">
      <ChartHeader {...{ model, kind, units }} />
      <div
        className={`grid flex-1 grid-cols-[repeat(auto-fit,minmax(min(100%,230px),1fr))] gap-x-2 ${enlargedChart ? 'auto-rows-[minmax(180px,1fr)]' : 'auto-rows-[132px]'}`}
      >
        {small.map(({ device, others, marks: own }) => (
          <div key={device.bssid} className="flex min-h-0 min-w-0 flex-col">
            <p className="flex items-center gap-1.5 pl-1 font-mono text-[10.5px] leading-4 text-ink2">
              <span className="size-2 rounded-[3px]" style={{ background: device.colour }} />
              {device.name}
            </p>
            <ChartPlot
              {...props}
              hidden={others}
              marks={own}
              device={device.bssid}
              values={values}
              isActive={device.bssid === activeDevice}
            />
          </div>
        ))}
        {small.length === 0 && <p className="grid place-items-center text-ink3">All devices are hidden</p>}
      </div>
    </section>
  )
}

/** The title of a chart with its unit, what its lines are, and the button that enlarges it. */
function ChartHeader({ model, kind, units }: { model: ChartModel; kind: ChartKind; units: UnitChoice }) {
  const asBands = useBands(model)
  const { enlargedChart } = useSnapshot(charts)
  return (
    <header className="flex min-h-[26px] items-center gap-3 pl-1">
      {/* Wraps instead of truncating, because the unit is shown nowhere else. */}
      <div className="flex min-w-0 flex-wrap items-center gap-x-3">
        <h2 id={`chart-${kind.id}`} className="text-[12.5px] font-semibold">
          {kind.title}
          <span className="font-normal text-ink3">, {symbolOf(kind, units)}</span>
        </h2>
        {kind.needsWater && !asBands && (
          <span title={gapText(units)} className="text-[11px] whitespace-nowrap text-ink3">
            from {enoughWaterTexts(units).permeate} of permeate
          </span>
        )}
        {asBands && (
          <span
            title={`The line is the mean of ${bandDays} days, the band goes from the lowest to the highest of them`}
            className="text-[11px] whitespace-nowrap text-ink3"
          >
            {bandDays}-day average, min–max band
          </span>
        )}
        {kind.series.length > 1 && (
          <span className="flex gap-3">
            {kind.series.map((series, index) => (
              <span key={series.measure} className="flex items-center gap-1.5 text-[11px] whitespace-nowrap text-ink3">
                <svg width="18" height="2" aria-hidden="true" className="overflow-visible stroke-ink2">
                  <line x2="18" y1="1" y2="1" strokeWidth="1.5" strokeDasharray={dashes[index]?.join(' ')} />
                </svg>
                {series.name}
              </span>
            ))}
          </span>
        )}
      </div>
      <span className="ml-auto">
        <CommandButton
          command={commandOf('charts.enlarge')}
          label={enlargedChart ? 'All charts' : `Enlarge ${kind.title}`}
          iconOnly
          className="!size-[24px]"
          onRun={() => {
            if (cursor.chart !== kind.id) cursor.chart = kind.id
          }}
        />
      </span>
    </header>
  )
}
