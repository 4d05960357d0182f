/** What the health of a device shows. */
import { proxy } from 'valtio'

export const healthRangeNames = {
  month: 'Month',
  quarter: 'Quarter',
  year: 'Year',
  two_years: '2 years',
  five_years: '5 years',
} as const
export type HealthRange = keyof typeof healthRangeNames

interface DeviceHealthView {
  range: HealthRange
  /** Whether the value of each day is shown as a dot, and flow and salt as measured by a thin line. */
  raw: boolean
  /** Whether a table is shown instead of the charts. */
  table: boolean
}

export const healthView = proxy<DeviceHealthView>({ range: 'quarter', raw: false, table: false })

/** The position on the time axis below the pointer. Apart from the view, because it changes with every pointer move. */
export const healthCursor = proxy<{ x: number | undefined; channel: string | undefined }>({
  x: undefined,
  channel: undefined,
})
