import { Suspense, useEffect } from 'react'
import { ref, useSnapshot } from 'valtio'
import { healthRanges } from '../../../api/contract/health/endpoints.ts'
import type { DeviceDetail } from '../../../api/contract/devices.ts'
import { useDeviceHealth } from '../../../api/health/deviceHealth.ts'
import { commandOf } from '../../../commands/core/registry.ts'
import { CommandButton } from '../../../commands/surfaces/buttons/CommandButton.tsx'
import { lazyComponent } from '../../../commands/surfaces/run/lazyComponent.ts'
import { itemOf } from '../../../api/lists.ts'
import type { DeviceHealth } from '../../../api/contract/health/device.ts'
import { activeFindings } from '../../../domain/health/texts/explain.ts'
import { noChartsText } from '../../../domain/health/texts/scoreTexts.ts'
import { openFinding } from '../../../store/openFinding.ts'
import { systemTimeZone } from '../../../domain/systemTimeZone.ts'
import { healthView } from '../../../store/deviceHealth.ts'
import { Forecasts } from './Forecasts.tsx'
import { HealthSummary } from './HealthSummary.tsx'
import { HealthTable } from './HealthTable.tsx'
import { RatedFlow } from './RatedFlow.tsx'
import { WaterScaling } from './WaterScaling.tsx'

const HealthCharts = lazyComponent(
  () => import('./HealthCharts.tsx'),
  module => module.HealthCharts,
)

/** The health of a device: score and findings, when its cartridges are due, and charts. `compact`: in the side panel. */
export function HealthContent({ device, compact = false }: { device: DeviceDetail; compact?: boolean }) {
  const { range, table } = useSnapshot(healthView)
  const { data: response, error } = useDeviceHealth(device.bssid, range)
  // SWR returns the previous device's data until this device has loaded.
  const shown = response?.bssid === device.bssid ? response : undefined
  useOpenFinding(compact ? undefined : shown?.health)
  if (!shown && error !== undefined)
    return (
      <div role="alert" className="flex flex-wrap items-center justify-between gap-2 text-ink2">
        {error instanceof Error ? error.message : 'The health could not be loaded'}
        <CommandButton command={commandOf('view.refresh')} label="Retry" />
      </div>
    )
  if (!shown) return <div aria-hidden="true" className={`skeleton ${compact ? 'h-40' : 'h-64'}`} />
  const { health } = shown
  const charts = { health, zone: device.time_zone ?? systemTimeZone(), days: healthRanges[shown.range], compact }
  return (
    <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-4">
      <div className={compact ? 'grid gap-4' : 'grid min-w-0 items-start gap-x-8 gap-y-4 @2xl:grid-cols-2'}>
        <div className="grid min-w-0 gap-5">
          <HealthSummary health={health} cartridges={device.cartridges} />
          {health.rated_flow && <RatedFlow rated={health.rated_flow} />}
          <WaterScaling device={device} health={health} />
        </div>
        <Forecasts health={health} cartridges={device.cartridges} />
      </div>
      {health.points.length === 0 ? (
        <p className="text-ink2">{noChartsText(health)}</p>
      ) : table ? (
        <HealthTable {...charts} />
      ) : (
        <Suspense fallback={<div aria-hidden="true" className="skeleton h-64" />}>
          <HealthCharts {...charts} />
        </Suspense>
      )}
    </div>
  )
}

/** Lets commands on findings act on the most serious finding that is shown. */
function useOpenFinding(health: DeviceHealth | undefined): void {
  useEffect(() => {
    const [first] = activeFindings(health?.findings ?? [])
    openFinding.item = first && ref(itemOf('findings', first))
    return () => void (openFinding.item = undefined)
  }, [health])
}
