import { useEffect, useMemo } from 'react'
import { useSnapshot } from 'valtio'
import type { DeviceHealth } from '../../../api/contract/health/device.ts'
import { useChartTheme } from '../../../commands/surfaces/charts/chartTheme.ts'
import { healthDays, smoothedDays } from '../../../domain/charts/healthLines.ts'
import { activeFindings } from '../../../domain/health/texts/explain.ts'
import { healthCursor, healthView } from '../../../store/deviceHealth.ts'
import { slowReach } from '../../../domain/health/thresholds.ts'
import { useNow } from '../../../ui/useNow.ts'
import { HealthChart } from './HealthChart.tsx'
import { largeChannels, smallChannels } from './shownChannels.ts'

interface Props {
  health: DeviceHealth
  zone: string
  /** Days of the range. */
  days: number
  /** Only the large charts, below each other. */
  compact: boolean
}

/** The channels of health over time, in % of new. */
export function HealthCharts({ health, zone, days, compact }: Props) {
  const theme = useChartTheme()
  const now = useNow(600_000)
  const axis = useMemo(() => healthDays(now, days, zone), [now, days, zone])
  useEffect(() => () => void (healthCursor.x = undefined), [])
  const shared = { health, zone, axis, theme }
  const small = compact ? [] : smallChannels(health)
  return (
    <div className="@container grid min-w-0 gap-3">
      <div className={`grid gap-3 ${compact ? '' : '@xl:grid-cols-2'}`}>
        {largeChannels(health).map(channel => (
          <HealthChart key={channel} channel={channel} {...shared} className={compact ? 'h-[130px]' : 'h-[190px]'} />
        ))}
      </div>
      {small.length > 0 && (
        <div className="grid gap-3 @lg:grid-cols-2 @4xl:grid-cols-4">
          {small.map(channel => (
            <HealthChart key={channel} channel={channel} {...shared} className="h-[112px]" />
          ))}
        </div>
      )}
      <Legend health={health} />
    </div>
  )
}

/** What the lines of the charts are. */
function Legend({ health }: { health: DeviceHealth }) {
  const { raw } = useSnapshot(healthView)
  const items = [
    {
      name: `median of ${smoothedDays} days${health.points.some(({ days }) => days > 1) ? ', mean of old weeks' : ''}`,
      dash: '',
      className: 'stroke-accent',
      width: 2.4,
    },
    ...(health.neighbours.length > 0
      ? [{ name: 'neighbours', dash: '4 3', className: 'stroke-ink2', width: 1.6 }]
      : []),
    ...(raw && health.points.some(({ measured }) => Object.keys(measured).length > 0)
      ? [{ name: 'as measured, without standard conditions', dash: '', className: 'stroke-ink3', width: 1 }]
      : []),
    {
      name: `noticed: this much in ${slowReach} days, beyond neighbours`,
      dash: '1 3',
      className: 'stroke-warn',
      width: 1.6,
    },
  ]
  return (
    <p className="flex flex-wrap gap-x-4 gap-y-1 text-[11px] text-ink3">
      {items.map(({ name, dash, className, width }) => (
        <span key={name} className="flex items-center gap-1.5 whitespace-nowrap">
          <svg width="18" height="2" aria-hidden="true" className={`overflow-visible ${className}`}>
            <line x2="18" y1="1" y2="1" strokeWidth={width} strokeDasharray={dash} />
          </svg>
          {name}
        </span>
      ))}
      <span className="flex items-center gap-1.5 whitespace-nowrap">
        <span aria-hidden="true" className="h-2.5 w-[18px] bg-accent opacity-20" />
        what sensors may wander (95 %)
      </span>
      {activeFindings(health.findings).length > 0 && (
        <span className="flex items-center gap-1.5 whitespace-nowrap">
          <svg width="18" height="10" aria-hidden="true" className="fill-ink3 stroke-ink3">
            <rect width="18" height="10" stroke="none" opacity="0.25" />
            <line x1="9" x2="9" y2="10" />
          </svg>
          when a finding began: early – late (90 %), likeliest
        </span>
      )}
      <span className="flex items-center gap-1.5 whitespace-nowrap">
        <svg width="8" height="8" aria-hidden="true" className="fill-ink2">
          <path d="M4 0 8 8H0Z" />
        </svg>
        cartridge replaced
      </span>
    </p>
  )
}
