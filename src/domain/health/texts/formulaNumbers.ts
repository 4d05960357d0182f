/** The formulas of channels with the numbers of a device's last days in place of their symbols. */
import { formatNumber } from '../../format.ts'
import { feedBrineConcentration, osmoticPressure, polarisationFactor, temperatureCorrection } from '../../normalise.ts'
import type { RatedFlow } from '../ratedFlow.ts'
import type { Measured } from './channelTexts.ts'

const three = (value: number) => formatNumber(value, 3)
const two = (value: number) => formatNumber(value, 2)

/**
 * Returns the numbers of a channel's formula, with its result; undefined where they are not known. In the units of the formulas:
 * l/min, bar, ppm, and with the general temperature coefficients.
 */
export function formulaNumbers(channel: Measured, days: RatedFlow): string | undefined {
  const { flow, pressure, temperature, tds, recovery, permeate_tds } = days
  const feedBrine = feedBrineConcentration(tds, recovery)
  const correction = temperatureCorrection(temperature)
  switch (channel) {
    case 'a': {
      // What presses from the permeate's side is then not known here.
      if (permeate_tds === null) return undefined
      const membrane = osmoticPressure(feedBrine * polarisationFactor(recovery), temperature)
      const passed = osmoticPressure(permeate_tds, temperature)
      const result = flow / (pressure - membrane + passed) / correction
      return `${three(flow)} ÷ (${two(pressure)} − ${three(membrane)} + ${three(passed)}) ÷ ${three(correction)} = ${three(result)} l/min/bar`
    }
    case 'b': {
      if (permeate_tds === null) return undefined
      const result = ((1000 * permeate_tds) / feedBrine) * (flow / correction)
      return `${formatNumber(permeate_tds, 1)} ÷ ${formatNumber(feedBrine)} · ${three(flow)} ÷ ${three(correction)} = ${two(result)} ml/min`
    }
    case 'r': {
      const feed = flow / recovery
      return `(${three(feed)} − ${three(flow)}) ÷ √${two(pressure)} = ${three((feed - flow) / Math.sqrt(pressure))} l/min/√bar`
    }
    default:
      return undefined
  }
}
