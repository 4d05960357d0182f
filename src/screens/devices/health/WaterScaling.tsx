import type { ReactNode } from 'react'
import type { DeviceDetail } from '../../../api/contract/devices.ts'
import type { DeviceHealth, Scaling } from '../../../api/contract/health/device.ts'
import { commandOf } from '../../../commands/core/registry.ts'
import { CommandButton } from '../../../commands/surfaces/buttons/CommandButton.tsx'
import { formatAmount, formatDate, formatNumber } from '../../../domain/format.ts'
import {
  analysisText,
  indexText,
  limitText,
  noIndexText,
  scalingVerdict,
} from '../../../domain/health/water/waterTexts.ts'
import { unitOf } from '../../../domain/units.ts'
import { useUnits } from '../../../store/preferences.ts'

type Indices = NonNullable<Scaling['indices']>

/** Whether the supply's water can scale in the device: the Langelier index of feed and concentrate, and the analysis. */
export function WaterScaling({
  device,
  health,
}: {
  device: Pick<DeviceDetail, 'water_supply'>
  health: Pick<DeviceHealth, 'water' | 'scaling'>
}) {
  const { water, scaling } = health
  return (
    <div>
      <div className="mb-1.5 flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
        <h3 className="text-[12px] font-medium text-ink3">Scaling by the supply’s water</h3>
        {water && (
          <CommandButton command={commandOf('device.waterAnalysis')} label="Change analysis" plain className="!h-7" />
        )}
      </div>
      {device.water_supply === null ? (
        <Missing text="Its water supply is not known. Name it first; then enter the water’s hardness, alkalinity and pH.">
          <CommandButton command={commandOf('device.waterSupply')} />
        </Missing>
      ) : !water ? (
        <Missing
          text={`Nobody has entered the water of “${device.water_supply}” yet. With hardness, alkalinity and pH, scaling and fouling can be distinguished better.`}
        >
          <CommandButton command={commandOf('device.waterAnalysis')} />
        </Missing>
      ) : (
        <div className="grid gap-3">
          {scaling?.indices ? (
            <Verdict indices={scaling.indices} scaling={scaling} />
          ) : (
            <p className="text-ink2">{noIndexText(scaling !== null)}</p>
          )}
          <div>
            <dl className="flex flex-wrap gap-x-6 gap-y-1.5">
              <Value name="Calcium hardness" unit="mg/l CaCO₃">
                {analysisText(water.calcium_hardness)}
              </Value>
              <Value name="Alkalinity" unit="mg/l CaCO₃">
                {analysisText(water.alkalinity)}
              </Value>
              <Value name="pH">{analysisText(water.ph)}</Value>
            </dl>
            <p className="mt-1.5 text-[11.5px] text-ink3">
              {device.water_supply}, entered by {water.login} on {formatDate(water.updated_at)}
            </p>
          </div>
        </div>
      )}
    </div>
  )
}

function Missing({ text, children }: { text: string; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-2">
      <p className="min-w-0 flex-1 basis-60 text-ink2">{text}</p>
      {children}
    </div>
  )
}

function Value({ name, unit, children }: { name: string; unit?: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-[12px] text-ink3">{name}</dt>
      <dd className="tabular-nums">
        {children} {unit && <span className="text-[11.5px] text-ink3">{unit}</span>}
      </dd>
    </div>
  )
}

/** The indices on a scale, and what they mean. */
function Verdict({ indices, scaling }: { indices: Indices; scaling: Scaling }) {
  const units = useUnits()
  const temperature = `${formatAmount(scaling.temperature, 'temperature', units)} ${unitOf('temperature', units).symbol}`
  const limit = limitText(indices)
  return (
    <div>
      <IndexScale indices={indices} />
      <p className="mt-2">{scalingVerdict(indices)}</p>
      <p className="mt-1 text-ink2">
        At this device’s recovery of {formatNumber(100 * scaling.recovery)} % and {temperature}. {limit}
      </p>
    </div>
  )
}

/** The ends of the scale; indices beyond are shown at its end. */
const [minIndex, maxIndex] = [-3, 3]
const share = (index: number) =>
  `${(100 * (Math.min(maxIndex, Math.max(minIndex, index)) - minIndex)) / (maxIndex - minIndex)}%`

/** A picture of the indices: a scale with the limit 0, the feed hollow and the concentrate filled. */
function IndexScale({ indices: { feed, concentrate } }: { indices: Indices }) {
  const scales = concentrate > 0
  return (
    <>
      <p className="flex flex-wrap items-baseline gap-x-4 tabular-nums">
        <span className={`text-[20px] leading-7 font-semibold ${scales ? 'text-warn' : 'text-ok'}`}>
          {indexText(concentrate)}
          <span className="text-[12px] font-normal text-ink3"> concentrate</span>
        </span>
        <span className="text-ink2">
          {indexText(feed)} <span className="text-[12px] text-ink3">feed</span>
        </span>
      </p>
      <div
        role="img"
        aria-label={`Langelier index: feed ${indexText(feed)}, concentrate ${indexText(concentrate)}; scaling is possible above 0`}
        className="relative mt-1.5 h-4"
      >
        <span className="absolute inset-x-0 top-[5px] flex h-1.5 overflow-hidden rounded-full">
          <span className="h-full w-1/2 bg-ok-soft" />
          <span className="h-full w-1/2 bg-warn-soft" />
        </span>
        <span className="absolute inset-y-0 left-1/2 w-px bg-ink3" />
        <span
          className={`absolute top-[7px] h-0.5 ${scales ? 'bg-warn' : 'bg-ok'}`}
          style={{ left: share(feed), width: `calc(${share(concentrate)} - ${share(feed)})` }}
        />
        <span
          className="absolute top-[3px] size-2.5 -translate-x-1/2 rounded-full border-2 border-ink2 bg-panel"
          style={{ left: share(feed) }}
        />
        <span
          className={`absolute top-[2px] size-3 -translate-x-1/2 rounded-full ${scales ? 'bg-warn' : 'bg-ok'}`}
          style={{ left: share(concentrate) }}
        />
      </div>
      <div aria-hidden="true" className="relative flex justify-between text-[11px] text-ink3 tabular-nums">
        <span>−3</span>
        <span className="absolute left-1/2 -translate-x-1/2">0</span>
        <span>+3</span>
      </div>
    </>
  )
}
