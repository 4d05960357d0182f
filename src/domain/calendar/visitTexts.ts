/** Titles and descriptions of visits that replace cartridges, as events and suggestions have them. */
import { plural } from '../plural.ts'
import { msPerDay } from '../time.ts'
import { addDays, wallOf, weekStart, type Day } from './days.ts'
import type { DueCartridge, Visit, VisitPlace } from './visits.ts'
import { formatNumber } from '../format.ts'

/** The longest title and description of an event. */
const maxTitle = 200
const maxDescription = 2000

const shorten = (text: string, max: number): string => (text.length > max ? `${text.slice(0, max - 1)}…` : text)

/** Returns the water supply and the company: `Harbour main, Fjordvann AS`. */
const placeText = ({ vendor, water_supply }: VisitPlace): string =>
  [water_supply, vendor.company_name].filter(Boolean).join(', ')

/** Returns the number of a visit's devices: `14 devices`, `667 devices, 2 of 3` if it is divided. */
export const visitSize = ({ count, part, parts }: Visit): string =>
  `${plural(count, 'device')}${parts > 1 ? `, ${part} of ${parts}` : ''}`

/** Returns the cartridges of a device by position: `Cartridge 1: CTO-10`, `Cartridges 1: CTO-10, 3: RO-75`. */
export function cartridgesText(cartridges: readonly Pick<DueCartridge, 'position' | 'model'>[]): string {
  const texts = cartridges
    .toSorted((one, other) => one.position - other.position)
    .map(({ position, model }) => `${position + 1}: ${model}`)
  return `Cartridge${texts.length === 1 ? '' : 's'} ${texts.join(', ')}`
}

/**
 * Returns the title of a visit: `Harbour main, Fjordvann AS: 14 cartridges`, `… (1 of 2)` if it is divided. Where to go comes first,
 * because the month shows only the beginning.
 */
export function visitTitle(visit: Visit): string {
  const part = visit.parts > 1 ? ` (${visit.part} of ${visit.parts})` : ''
  const end = `: ${plural(visit.cartridges.length, 'cartridge')}${part}`
  return `${shorten(placeText(visit), maxTitle - end.length)}${end}`
}

/** Returns what a visit needs, a line for each model of cartridge, most frequent first: `9 × Sediment 5 µm`. */
export function visitDescription({ cartridges }: Visit): string {
  const models = [...Map.groupBy(cartridges, ({ model }) => model)].map(([model, { length }]) => ({ model, length }))
  const lines = models
    .toSorted((a, b) => b.length - a.length || (a.model < b.model ? -1 : 1))
    .map(({ model, length }) => `${formatNumber(length)} × ${model}`)
  return shorten(lines.join('\n'), maxDescription)
}

/** Returns the number of a day's week by ISO 8601: week 1 contains the first Thursday of the year. */
export function weekNumber(day: Day): number {
  const thursday = addDays(weekStart(day), 3)
  const daysOfYear = (wallOf(thursday) - wallOf(`${thursday.slice(0, 4)}-01-01`)) / msPerDay
  return Math.floor(daysOfYear / 7) + 1
}
