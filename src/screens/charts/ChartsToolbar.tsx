import { useId } from 'react'
import { useSnapshot } from 'valtio'
import { commandsOn } from '../../commands/core/registry.ts'
import { CommandSegments } from '../../commands/surfaces/buttons/CommandSegments.tsx'
import { SurfaceButtons } from '../../commands/surfaces/buttons/SurfaceButtons.tsx'
import { CommandButton } from '../../commands/surfaces/buttons/CommandButton.tsx'
import { ExportMenu } from '../../commands/surfaces/buttons/ExportMenu.tsx'
import { MoreMenu } from '../../commands/surfaces/buttons/menus.tsx'
import { run } from '../../commands/surfaces/run/run.ts'
import { chartKinds } from '../../domain/charts/charts.ts'
import { charts, cursor } from '../../store/charts.ts'
import { narrow } from '../../store/layout.ts'
import { SegmentedControl } from '../../ui/controls.tsx'
import { useMediaQuery } from '../../ui/useMediaQuery.ts'

const clocks = [
  { value: 'viewer', name: 'Your time zone', command: 'charts.zone' },
  { value: 'device', name: 'Device time zone', command: 'charts.zone' },
]

/** From this width, all buttons have names while no chart is chosen. */
const roomForNames = '(min-width: 1440px)'

/** Returns the name of a range command's range: `charts.week` → `Week`. */
const rangeName = (id: string) => `${id.charAt('charts.'.length).toUpperCase()}${id.slice('charts.'.length + 1)}`

interface Props {
  dateRange: string
  /** The browser's time zone. */
  viewerZone: string
  /** How many devices the charts show. */
  devices: number
}

/** The charts' toolbar: range, date, time zone, zoom and export. On narrow screens a menu has what two lines cannot hold. */
export function ChartsToolbar(props: Props) {
  const isNarrow = useMediaQuery(narrow.navigation)
  return (
    <div
      role="toolbar"
      aria-label="Charts"
      className="flex shrink-0 flex-wrap items-center gap-x-3 gap-y-2 border-b border-line bg-panel px-3 py-2 max-sm:gap-1"
    >
      {isNarrow ? <NarrowToolbar {...props} /> : <WideToolbar {...props} />}
    </div>
  )
}

function WideToolbar({ dateRange, viewerZone, devices }: Props) {
  const { zone, zoom, table, enlargedChart, layout } = useSnapshot(charts)
  const id = useId()
  const choosesChart = enlargedChart !== undefined || table
  const hasRoom = useMediaQuery(roomForNames)
  return (
    <>
      <div className="w-[212px]">
        <Range />
      </div>
      <TimeButtons dateRange={dateRange} />
      <span id={id} className="sr-only">
        Time zone
      </span>
      <div className="w-[246px]">
        <SegmentedControl
          labelId={id}
          options={clocks}
          value={zone}
          onChange={value => value !== zone && void run('charts.zone')}
        />
      </div>
      <ZoneName viewerZone={viewerZone} />
      <div className="ml-auto flex flex-wrap items-center gap-1">
        {choosesChart && <ChartChoice />}
        <SurfaceButtons
          on="chartsZoom"
          iconOnly
          overrides={{ 'charts.zoomOut': zoom !== undefined && {}, 'charts.zoomReset': zoom !== undefined && {} }}
        />
        <SurfaceButtons
          on="chartsShow"
          overrides={{
            'charts.layout': devices > 1 && { label: layoutLabel(layout), iconOnly: choosesChart || !hasRoom },
            'charts.table': { label: table ? 'Lines' : 'Table' },
            'charts.export': command => (
              <ExportMenu choices={[{ command, title: 'All charted data, regardless of zoom' }]} />
            ),
          }}
        />
      </div>
    </>
  )
}

/** What needs no choice of a chart, as a menu. */
const moreCommands = (['chartsMore', 'chartsZoom', 'chartsShow'] as const).flatMap(commandsOn)

function NarrowToolbar({ dateRange, viewerZone }: Props) {
  const { table, enlargedChart, zone } = useSnapshot(charts)
  return (
    <>
      <div className="min-w-[212px] flex-1">
        <Range />
      </div>
      <MoreMenu commands={moreCommands} />
      <div className="flex basis-full items-center gap-1">
        <TimeButtons dateRange={dateRange} />
        <span className="ml-auto min-w-0 truncate">
          {enlargedChart !== undefined || table ? (
            <ChartChoice />
          ) : (
            zone === 'device' && <ZoneName viewerZone={viewerZone} />
          )}
        </span>
      </div>
    </>
  )
}

function Range() {
  const { range } = useSnapshot(charts)
  return <CommandSegments on="chartsRange" label="Range" value={`charts.${range}`} nameOf={rangeName} />
}

/** The shown period, between the buttons for earlier and later. */
function TimeButtons({ dateRange }: { dateRange: string }) {
  const { until } = useSnapshot(charts)
  return (
    <div className="flex items-center gap-0.5">
      <SurfaceButtons
        on="chartsTime"
        iconOnly
        overrides={{
          'charts.earlier': command => (
            <>
              <CommandButton command={command} iconOnly />
              <output
                aria-label="Date range"
                className="min-w-[9.5rem] text-center font-medium whitespace-nowrap tabular-nums max-sm:min-w-[7.5rem]"
              >
                {dateRange}
              </output>
            </>
          ),
          'charts.now': until !== undefined && { iconOnly: false, className: 'ml-1' },
        }}
      />
    </div>
  )
}

function ZoneName({ viewerZone }: { viewerZone: string }) {
  const { zone } = useSnapshot(charts)
  const text = zone === 'viewer' ? viewerZone : `each device in its own time zone, otherwise ${viewerZone}`
  return (
    <span title={text} className="min-w-0 flex-1 basis-20 truncate text-[12px] text-ink3">
      {text}
    </span>
  )
}

const layoutLabel = (layout: 'together' | 'device') => (layout === 'together' ? 'Small charts' : 'Combined charts')

/** Selects the chart that is enlarged or shown as a table. */
function ChartChoice() {
  const { enlargedChart } = useSnapshot(charts)
  const { chart } = useSnapshot(cursor)
  return (
    <select
      aria-label="Chart"
      className="input !h-[30px] max-w-60"
      value={enlargedChart ?? chart ?? chartKinds[0].id}
      data-command="charts.pick"
      onChange={event => {
        const selected = chartKinds.find(({ id }) => id === event.target.value)
        if (selected) void run('charts.pick', { input: { chart: selected.id } })
      }}
    >
      {chartKinds.map(({ id, title }) => (
        <option key={id} value={id}>
          {title}
        </option>
      ))}
    </select>
  )
}
