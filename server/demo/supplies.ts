/** The demo's water supplies: each company's customers are on a few of them, and devices of one share its water. */
import { random } from '../../simulator/model/random.ts'
import { unitSeedOf } from '../../simulator/model/fleet.ts'
import { sedimentAt, siteOn, supplyNamed, type Chemistry } from '../../simulator/model/supplies.ts'
import { companies } from './catalogue.ts'
import { seedOf } from './random.ts'

/** Names of supplies by company, as waterworks and districts are called there. */
const names: Readonly<Record<(typeof companies)[number]['login'], readonly string[]>> = {
  vendor: ['Altona', 'Bergedorf', 'Curslack', 'Harburg', 'Lübeck', 'Speicherstadt'],
  vendor2: ['Beaverdam', 'Haw Creek', 'Mills River', 'North Fork', 'River Arts', 'West Asheville'],
  vendor3: ['Hervanta', 'Kaupinoja', 'Messukylä', 'Pyynikki', 'Rusko', 'Tammela'],
  vendor4: ['Catalina', 'Foothills', 'Marana', 'Rincon', 'Sahuarita', 'Sam Hughes'],
  vendor5: ['Croix-Rousse', 'Gerland', 'La Pape', 'Presqu’île', 'Vaise', 'Villeurbanne'],
  vendor6: ['Espeland', 'Jordalsvatnet', 'Kismul', 'Sandviken', 'Sædalen', 'Svartediket'],
}

/** Devices of the fleet after which each company has further supplies; so each one has about a dozen devices. */
const devicesPerBlock = 150
const suppliesPerBlock = 2
/** Share of the devices whose supply nobody has entered. */
const unlabelledShare = 0.05

export interface DemoWater {
  /** The label of the supply; null if nobody has entered it. */
  readonly supply: string | null
  /** ppm, bar, °C */
  readonly tds: number
  readonly pressure: number
  readonly temperature: number
}

/** Returns the name of a company's supply by its number. */
function nameOf(vendor: number, number: number): string {
  const ofCompany = names[companies[vendor]!.login]
  const round = Math.floor(number / ofCompany.length)
  return `${ofCompany[number % ofCompany.length]!}${round > 0 ? ` ${round + 1}` : ''}`
}

/**
 * Returns the supply of the device at an index of the fleet and its water, which differs little between neighbours.
 * `isScaling`: whether scale grows in the device, for which its water must be hard.
 */
export function demoWater(seed: number, index: number, vendor: number, isScaling: boolean): DemoWater {
  const rng = random(seedOf(`${seed} supply of ${index}`))
  let number = suppliesPerBlock * Math.floor(index / devicesPerBlock) + rng.integer(0, suppliesPerBlock - 1)
  while (isScaling && !supplyNamed(seed, nameOf(vendor, number)).chemistry.isHard) number++
  const name = nameOf(vendor, number)
  const { tds, pressure, temperature } = siteOn(supplyNamed(seed, name), seedOf(`${seed} water ${index}`)).mean
  const isUnlabelled = rng.chance(unlabelledShare) && !isScaling
  return { supply: isUnlabelled ? null : name, tds, pressure, temperature }
}

/** Returns the sediment at a device of a supply, as a multiple of what pre-filters are rated for. */
export const demoSediment = (seed: number, bssid: string, supply: string | null): number =>
  supply === null ? 1 : sedimentAt(supplyNamed(seed, supply), unitSeedOf(seed, bssid))

/** Share of the supplies whose water a company has entered. */
const analysedShare = 0.6

/** Returns the water analysis that a company has entered for one of its supplies; undefined if it has not. */
export function demoAnalysis(seed: number, name: string): Omit<Chemistry, 'isHard'> | undefined {
  if (!random(seedOf(`${seed} analysis of ${name}`)).chance(analysedShare)) return undefined
  const { calcium_hardness, alkalinity, ph } = supplyNamed(seed, name).chemistry
  return { calcium_hardness, alkalinity, ph }
}
