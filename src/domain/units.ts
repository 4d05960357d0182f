/**
 * Units: the wire carries litres, °C, bar, ppm and l/min; a person may choose others for what is shown and typed.
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

const scaled = (symbol: string, perBase: number, digits: number): Unit => ({
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
  volume: { l: scaled('l', 1, 1), gal: scaled('gal', 1 / litresPerGallon, 1) },
  temperature: {
    C: scaled('°C', 1, 1),
    F: { symbol: '°F', fromBase: (c: number) => 1.8 * c + 32, toBase: (f: number) => (f - 32) / 1.8, digits: 1 },
  },
  pressure: { bar: scaled('bar', 1, 2), psi: scaled('psi', psiPerBar, 1) },
  concentration: { ppm: scaled('ppm', 1, 0), gpg: scaled('gpg', 1 / ppmPerGrain, 1) },
  flow: {
    'l/min': scaled('l/min', 1, 2),
    'gal/min': scaled('gal/min', 1 / litresPerGallon, 3),
    'fl-oz/min': scaled('fl oz/min', 1 / litresPerFluidOunce, 1),
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

/** Flow follows volume; of gallons there are two. */
export const gallonFlows = ['gal/min', 'fl-oz/min'] as const satisfies readonly UnitChoice['flow'][]
/** The unit of flow that goes with a unit of volume: the one before where it does. */
export const flowOf = (volume: string, before: UnitChoice['flow']): UnitChoice['flow'] =>
  volume === 'l' ? 'l/min' : before === 'l/min' ? gallonFlows[0] : before

/** The chosen unit of a quantity. */
export function unitOf(quantity: Quantity, choice: UnitChoice): Unit {
  const choices: Record<string, Unit> = units[quantity]
  return choices[choice[quantity]] ?? Object.values(choices)[0]!
}

/** To the sixth decimal place, which is finer than any sensor: conversion leaves a tail of digits. */
export const tidy = (value: number): number => Math.round(value * 1e6) / 1e6
