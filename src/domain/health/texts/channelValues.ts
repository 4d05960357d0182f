/** Formats the absolute values of the channels of health, which are stored as natural logarithms. */
import { formatAmount, formatNumber } from '../../format.ts'
import { plural } from '../../plural.ts'
import { unitOf, type Quantity, type UnitChoice } from '../../units.ts'
import { isRunningPressure } from '../pressure/pump.ts'
import type { Measured } from './channelTexts.ts'

/** Absolute pressure of a tank's air when it is empty, bar: its litres follow from it. */
const usualPrecharge = 1.4

const amount = (value: number, quantity: Quantity, units: UnitChoice) =>
  `${formatAmount(value, quantity, units)} ${unitOf(quantity, units).symbol}`
const percent = (value: number) => `${formatNumber(value * 100)} %`

/** Returns what a change of a channel rests on: `New 0.197 l/min/bar, 30 days used`. */
export function baselineText(
  { channel, baseline, days }: { readonly channel: Measured; readonly baseline: number | null; readonly days: number },
  units: UnitChoice,
): string {
  const used = `${plural(days, 'day')} used`
  return baseline === null ? used : `New ${channelValue(channel, baseline, units)}, ${used}`
}

/** Returns the value of a channel when new with its unit, from its logarithm: `0.197 l/min/bar`, `320 ppm`. */
export function channelValue(channel: Measured, logarithm: number, units: UnitChoice): string {
  const value = Math.exp(logarithm)
  switch (channel) {
    case 'a':
      return `${formatNumber(value, 3)} l/min/bar`
    case 'b':
    case 'brief':
      return `${formatNumber(value * 1000, 2)} ml/min`
    case 'r':
      return `${formatNumber(value, 3)} l/min/√bar`
    case 'h':
      return isRunningPressure(logarithm) ? amount(value, 'pressure', units) : percent(value)
    case 'p':
      return amount(value, 'pressure', units)
    case 'f':
      return amount(value, 'concentration', units)
    case 'rest':
      return `${formatNumber(value, 2)} l/h`
    case 'tank':
      return `${amount(value / usualPrecharge, 'volume', units)} of air`
    case 'creep':
    case 'meter':
      return percent(value)
  }
}
