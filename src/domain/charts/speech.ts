/** What a chart reads at a moment, in words. */
import { inUnit, shownValue } from './data.ts'
import type { Reading } from './lines.ts'
import type { ChartKind } from './charts.ts'
import type { UnitChoice } from '../units.ts'

/** As they are said, by how they are written. */
const words: Readonly<Record<string, string>> = {
  l: 'litres',
  gal: 'gallons',
  '°C': 'degrees Celsius',
  '°F': 'degrees Fahrenheit',
  bar: 'bar',
  psi: 'psi',
  ppm: 'ppm',
  gpg: 'grains per gallon',
  'l/min': 'litres per minute',
  'gal/min': 'gallons per minute',
  'fl oz/min': 'fluid ounces per minute',
  '%': 'percent',
}

/** More are not listened to: they are summed up. */
const maxEach = 5

export const spokenValue = (kind: ChartKind, value: number, units: UnitChoice): string =>
  shownValue(kind, value, units).replace(/ (\S.*)$/, (_, symbol: string) => ` ${words[symbol] ?? symbol}`)

/** Each device's, or of many how far apart they are. */
export function spokenReadings(kind: ChartKind, readings: readonly Reading[], units: UnitChoice): string {
  const named = kind.series.length > 1
  const devices = new Set(readings.map(({ device }) => device)).size
  if (devices <= maxEach)
    return readings
      .map(({ device, series, value }) =>
        [
          device.name,
          named ? `${series.name}:` : '',
          typeof value === 'number' ? spokenValue(kind, value, units) : 'nothing read',
        ]
          .filter(Boolean)
          .join(' ')
          .concat('.'),
      )
      .join(' ')
  return kind.series
    .map(series => {
      const read = readings.flatMap(reading =>
        reading.series.measure === series.measure && typeof reading.value === 'number'
          ? [{ name: reading.device.name, value: reading.value }]
          : [],
      )
      if (read.length === 0) return `${series.name}: nothing read.`
      const sorted = read.toSorted((one, other) => inUnit(kind, one.value, units) - inUnit(kind, other.value, units))
      const [least, most] = [sorted[0]!, sorted.at(-1)!]
      return `${series.name} of ${read.length} devices: from ${spokenValue(kind, least.value, units)}, ${least.name}, to ${spokenValue(kind, most.value, units)}, ${most.name}.`
    })
    .join(' ')
}
