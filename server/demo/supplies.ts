/** The demo's water supplies: each company's customers are on a few of them, and devices of one share its water. */
import { random } from '../../simulator/model/random.ts'
import { siteOn, supplyNamed } from '../../simulator/model/supplies.ts'
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

/** Returns the supply of the device at an index of the fleet and its water, which differs little between neighbours. */
export function demoWater(seed: number, index: number, vendor: number): DemoWater {
  const rng = random(seedOf(`${seed} supply of ${index}`))
  const number = suppliesPerBlock * Math.floor(index / devicesPerBlock) + rng.integer(0, suppliesPerBlock - 1)
  const { login } = companies[vendor]!
  const ofCompany = names[login]
  const round = Math.floor(number / ofCompany.length)
  const name = `${ofCompany[number % ofCompany.length]!}${round > 0 ? ` ${round + 1}` : ''}`
  const { tds, pressure, temperature } = siteOn(supplyNamed(seed, name), seedOf(`${seed} water ${index}`)).mean
  return { supply: rng.chance(unlabelledShare) ? null : name, tds, pressure, temperature }
}
