/** A chart's readings in words, for screen readers. */
import { toUnit, formatValue } from './data.ts'
import type { SeriesReading } from './lines.ts'
import type { ChartKind } from './charts.ts'
import type { UnitChoice } from '../units.ts'

/** Unit names by symbol. */
const unitNames: Readonly<Record<string, string>> = {
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

/** Readings of more devices are summarised as a range. */
const maxEach = 5

export const valueInWords = (kind: ChartKind, value: number, units: UnitChoice): string =>
  formatValue(kind, value, units).replace(/ (\S.*)$/, (_, symbol: string) => ` ${unitNames[symbol] ?? symbol}`)

/** Returns each device's readings in words; for many devices the lowest and the highest. */
export function readingsInWords(kind: ChartKind, readings: readonly SeriesReading[], units: UnitChoice): string {
  const hasSeveralSeries = kind.series.length > 1
  const devices = new Set(readings.map(({ device }) => device)).size
  if (devices <= maxEach)
    return readings
      .map(({ device, series, value, tooLittleWater }) =>
        [
          device.name,
          hasSeveralSeries ? `${series.name}:` : '',
          typeof value === 'number'
            ? valueInWords(kind, value, units)
            : tooLittleWater
              ? 'too little water'
              : 'no reading',
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
      if (read.length === 0) return `${series.name}: no readings.`
      const sorted = read.toSorted((one, other) => toUnit(kind, one.value, units) - toUnit(kind, other.value, units))
      const [lowest, highest] = [sorted[0]!, sorted.at(-1)!]
      return `${series.name} of ${read.length} devices: from ${valueInWords(kind, lowest.value, units)}, ${lowest.name}, to ${valueInWords(kind, highest.value, units)}, ${highest.name}.`
    })
    .join(' ')
}
