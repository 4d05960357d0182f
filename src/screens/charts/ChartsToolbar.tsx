import { useId } from 'react'
import { useSnapshot } from 'valtio'
import { commandsOn } from '../../commands/core/registry.ts'
import { SurfaceButtons } from '../../commands/surfaces/buttons/SurfaceButtons.tsx'
import { CommandButton } from '../../commands/surfaces/buttons/CommandButton.tsx'
import { ExportMenu } from '../../commands/surfaces/buttons/ExportMenu.tsx'
import { run, runCommand } from '../../commands/surfaces/run/run.ts'
import { chartKinds } from '../../domain/charts/charts.ts'
import { charts, cursor } from '../../store/charts.ts'
import { SegmentedControl } from '../../ui/controls.tsx'

const clocks = [
  { value: 'viewer', name: 'Your clock', command: 'charts.zone' },
  { value: 'device', name: 'Devices’ clocks', command: 'charts.zone' },
]

/** Returns the name of a range command's range: `charts.week` → `Week`. */
const rangeName = (id: string) => `${id.charAt('charts.'.length).toUpperCase()}${id.slice('charts.'.length + 1)}`

/** The charts' toolbar: range, date, time zone, zoom and export. `viewerZone`: the browser's time zone. */
export function ChartsToolbar({ dateRange, viewerZone }: { dateRange: string; viewerZone: string }) {
  const { range, until, zone, zoom, table, enlargedChart } = useSnapshot(charts)
  const id = useId()
  const ranges = commandsOn('chartsRange')
  return (
    <div
      role="toolbar"
      aria-label="Charts"
      className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b border-line bg-panel px-3 py-2"
    >
      <span id={`${id}range`} className="sr-only">
        Range
      </span>
      <div className="w-[212px]">
        <SegmentedControl
          labelId={`${id}range`}
          options={ranges.map(({ id: command }) => ({ value: command, name: rangeName(command), command }))}
          value={`charts.${range}`}
          onChange={value => {
            const selected = ranges.find(command => command.id === value)
            if (selected) void runCommand(selected)
          }}
        />
      </div>
      <div className="flex items-center gap-0.5">
        <SurfaceButtons
          on="chartsTime"
          iconOnly
          overrides={{
            // The visible date range, between the buttons for earlier and later.
            'charts.earlier': command => (
              <>
                <CommandButton command={command} iconOnly />
                <output
                  aria-label="Date range"
                  className="min-w-[9.5rem] text-center font-medium whitespace-nowrap tabular-nums"
                >
                  {dateRange}
                </output>
              </>
            ),
            'charts.now': until !== undefined && { iconOnly: false, className: 'ml-1' },
          }}
        />
      </div>
      <span id={`${id}clock`} className="sr-only">
        Clock
      </span>
      <div className="w-[236px]">
        <SegmentedControl
          labelId={`${id}clock`}
          options={clocks}
          value={zone}
          onChange={value => value !== zone && void run('charts.zone')}
        />
      </div>
      <span className="text-[12px] text-ink3">
        {zone === 'viewer' ? viewerZone : `each device in its own time zone, otherwise ${viewerZone}`}
      </span>
      <div className="ml-auto flex flex-wrap items-center gap-1">
        {(enlargedChart !== undefined || table) && <ChartChoice />}
        <SurfaceButtons
          on="chartsZoom"
          iconOnly
          overrides={{ 'charts.zoomOut': zoom !== undefined && {}, 'charts.zoomReset': zoom !== undefined && {} }}
        />
        <SurfaceButtons
          on="chartsShow"
          overrides={{
            'charts.table': { label: table ? 'Lines' : 'Table' },
            'charts.export': command => (
              <ExportMenu choices={[{ command, title: 'All charted data, regardless of zoom' }]} />
            ),
          }}
        />
      </div>
    </div>
  )
}

/** Selects the chart that is enlarged or shown as a table. */
function ChartChoice() {
  const { enlargedChart } = useSnapshot(charts)
  const { chart } = useSnapshot(cursor)
  return (
    <select
      aria-label="Chart"
      className="input !h-[30px] max-w-52"
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
