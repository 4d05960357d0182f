/**
 * Units. The API uses the base units litres, °C, bar, ppm and l/min; people can choose other units for display and input.
 * Factors: NIST SP 811 (US gallon, fluid ounce, psi); 1 gpg = 17.1181 ppm as CaCO₃, for TDS a display convention.
 */
export type Quantity = 'volume' | 'temperature' | 'pressure' | 'concentration' | 'flow'

export interface Unit {
  readonly symbol: string
  readonly fromBase: (value: number) => number
  readonly toBase: (value: number) => number
  /** Decimal places that show a reading without false precision. */
  readonly digits: number
}

const proportionalUnit = (symbol: string, perBase: number, digits: number): Unit => ({
  symbol,
  fromBase: value => value * perBase,
  toBase: value => value / perBase,
  digits,
})

const litresPerGallon = 3.785411784
const litresPerFluidOunce = 0.0295735295625
const psiPerBar = 14.503774
const ppmPerGrain = 17.1181

export const units = {
  volume: { l: proportionalUnit('l', 1, 1), gal: proportionalUnit('gal', 1 / litresPerGallon, 1) },
  temperature: {
    C: proportionalUnit('°C', 1, 1),
    F: { symbol: '°F', fromBase: (c: number) => 1.8 * c + 32, toBase: (f: number) => (f - 32) / 1.8, digits: 1 },
  },
  pressure: { bar: proportionalUnit('bar', 1, 2), psi: proportionalUnit('psi', psiPerBar, 1) },
  concentration: { ppm: proportionalUnit('ppm', 1, 0), gpg: proportionalUnit('gpg', 1 / ppmPerGrain, 1) },
  flow: {
    'l/min': proportionalUnit('l/min', 1, 2),
    'gal/min': proportionalUnit('gal/min', 1 / litresPerGallon, 3),
    'fl-oz/min': proportionalUnit('fl oz/min', 1 / litresPerFluidOunce, 1),
  },
} as const satisfies Record<Quantity, Record<string, Unit>>

export type UnitChoice = { [Q in Quantity]: keyof (typeof units)[Q] }
export const defaultUnits: UnitChoice = {
  volume: 'l',
  temperature: 'C',
  pressure: 'bar',
  concentration: 'ppm',
  flow: 'l/min',
}

/** Flow units for gallons; with litres there is only l/min. */
export const gallonFlows = ['gal/min', 'fl-oz/min'] as const satisfies readonly UnitChoice['flow'][]
/** Returns the flow unit that matches a volume unit, keeping the current one if it matches. */
export const flowOf = (volume: string, current: UnitChoice['flow']): UnitChoice['flow'] =>
  volume === 'l' ? 'l/min' : current === 'l/min' ? gallonFlows[0] : current

/** Returns the chosen unit of a quantity; its base unit if the choice is unknown. */
export function unitOf(quantity: Quantity, choice: UnitChoice): Unit {
  const choices: Record<string, Unit> = units[quantity]
  return choices[choice[quantity]] ?? Object.values(choices)[0]!
}

/** Rounds a converted value to six decimal places, finer than any sensor, to drop floating-point noise. */
export const roundConverted = (value: number): number => Math.round(value * 1e6) / 1e6
