import { useSnapshot } from 'valtio'
import { hasBands } from '../../domain/charts/bands.ts'
import type { ChartModel } from '../../domain/charts/lines.ts'
import { charts } from '../../store/charts.ts'

/** Returns whether the visible part of the charts shows means with bands instead of each value. */
export function useBands({ grid: { rows }, seconds }: ChartModel): boolean {
  const { zoom } = useSnapshot(charts)
  const visible = zoom ? rows.filter(({ x }) => x >= zoom.from && x <= zoom.to).length : rows.length
  return hasBands(seconds, visible)
}
