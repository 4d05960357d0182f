/** How the channels of health are computed from readings, and where the formulas are from. */
import type { Measured } from './channelTexts.ts'

export const formulaSources = {
  A: 'ASTM D4516-19a, Standard practice for standardizing reverse osmosis performance data',
  D: 'DuPont FilmTec Technical Manual, 45-D01504 rev. 20',
  H: 'Hydranautics, Membrane performance normalization, 2001',
  N: 'NSF/ANSI 58, Reverse osmosis drinking water treatment systems',
  W: 'Water Quality Association, Point-of-use reverse osmosis: performance and sizing',
} as const
export type FormulaSource = keyof typeof formulaSources

interface ChannelFormula {
  readonly text: string
  readonly sources: readonly FormulaSource[]
}

export const channelFormulas: Readonly<Record<Measured, ChannelFormula>> = {
  a: { text: 'Q_p ÷ (P_f − π_m + π_p) ÷ TCF', sources: ['A', 'D', 'H'] },
  b: { text: 'C_p ÷ C_fb · Q_p ÷ TCF, from 120 s into a draw', sources: ['A', 'D', 'H'] },
  brief: { text: 'C_p ÷ C_fb · Q_p ÷ TCF, from 20 to 120 s into a draw', sources: ['A', 'D', 'H'] },
  r: { text: '(Q_f − Q_p) ÷ √P_f', sources: ['D'] },
  h: { text: 'P_running ÷ P_resting; P_running alone with a booster pump', sources: ['W'] },
  p: { text: 'P_resting', sources: ['W'] },
  f: { text: 'C_f', sources: ['D'] },
  rest: { text: 'litres of feed at rest ÷ hours', sources: ['W'] },
  creep: { text: 'salt passage of short draws ÷ salt passage', sources: ['W'] },
  meter: { text: 'litres by the meter ÷ (Q_p · time)', sources: ['W'] },
  tank: {
    text: 'litres of a run ÷ (1/p₁ − 1/p₂), p the absolute pressure in the tank by its flow; at its end ⅔ P_f + 1',
    sources: ['W'],
  },
}

/** The symbols in the formulas. */
export const formulaSymbols: readonly (readonly [symbol: string, meaning: string])[] = [
  ['Q_p, Q_f', 'flows of permeate and feed'],
  ['P_f', 'pressure of the feed'],
  ['π_m, π_p', 'osmotic pressures at the membrane and of the permeate: C · (T + 320) ÷ 491,000'],
  ['C_p, C_f', 'TDS of permeate and feed'],
  ['C_fb', 'mean TDS along the feed side: C_f · ln(1 ÷ (1 − Y)) ÷ Y, with the recovery Y'],
  ['C_m', 'TDS at the membrane, where salt stays back: C_fb · exp(0.7 · Y), the C of π_m'],
  ['TCF', 'temperature correction: exp(K · (1/298 − 1/(273 + T))), K 3,020 below 25 °C, otherwise 2,640'],
]
