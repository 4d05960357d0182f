/** What the channels of health are called, and what each means to a technician. */
import { clogged, creepSize, minRestFlow, restHours, slowSize, stepSize, wornFlow, wornSalt } from '../thresholds.ts'
import { sharedSizes } from '../supply.ts'
import type { Evidence } from '../types/assessment.ts'
import type { Channel } from '../types/channels.ts'

/** The channels, and what findings are made of besides. */
export type Measured = Evidence['channel']

interface ChannelText {
  readonly name: string
  /** Five lines: what it is, what is usual, what a fall and a rise mean, and from when on it counts. */
  readonly help: readonly [string, string, string, string, string]
  /** The test that decides whether device or sensor is wrong. */
  readonly test: string
}

type Direction = 'fall' | 'rise'

/** Returns a change in whole percent. `size`: as ln. */
const percent = (size: number, direction: Direction): number =>
  Math.round(100 * (direction === 'rise' ? Math.exp(size) - 1 : 1 - Math.exp(-size)))

/** Returns from when on a change of a channel counts. The errors of the sensors can make it later. */
function lookedAt(channel: Channel, direction: Direction): string {
  const [slow, step] = [slowSize[channel], stepSize[channel]].map(size => percent(size, direction)) as [number, number]
  if (slow === step) return `A ${direction} of ${slow} % is checked.`
  const withinDays = stepSize[channel] === Infinity ? '' : `, or of ${step} % within days,`
  return `A ${direction} of ${slow} % over weeks${withinDays} is checked.`
}

/** Returns a level in % of new. */
const level = (size: number): number => Math.round(100 * Math.exp(size))

export const channelTexts: Readonly<Record<Measured, ChannelText>> = {
  a: {
    name: 'Standard flow',
    help: [
      'The permeate flow that the membrane would have at 25 °C and a net driving pressure of 1 bar, so that cold water or low pressure do not look like a fault.',
      '100 % is the membrane when new. It loses 7 to 10 % a year by ageing, which is expected.',
      'A fall over weeks is fouling; with more salt and less concentrate it is scaling. A fall while the concentrate rises is the flow sensor.',
      'A rise together with the salt passage is a membrane that chlorine has oxidised. A rise alone is the flow sensor.',
      `${lookedAt('a', 'fall')} At ${level(wornFlow)} % the membrane is worn.`,
    ],
    test: 'Draw permeate into a measuring cup for a minute, and compare it with a new membrane at the same temperature and pressure.',
  },
  b: {
    name: 'Salt passage',
    help: [
      'The salt that passes the membrane, at 25 °C and two minutes into a draw, when what crept through at rest is rinsed out.',
      '100 % is the membrane when new. It gains about 10 % a year by ageing, which is expected.',
      'A rise over weeks is oxidation, scaling (the flow falls too), or a TDS sensor that drifts.',
      'A rise within a day, often after a replacement, is an O-ring or the brine seal. A fall is a sensor.',
      `${lookedAt('b', 'rise')} At ${level(wornSalt)} % the membrane is worn.`,
    ],
    test: 'Draw water for 3 minutes, and measure permeate and feed with a hand meter.',
  },
  brief: {
    name: 'Salt passage of short draws',
    help: [
      'The salt passage from 20 seconds to two minutes into a draw, which still contains what crept through at rest.',
      'It has a baseline of its own, and stands for the salt passage where only glasses are drawn.',
      'A rise that the salt passage shares is the membrane, a seal or a sensor.',
      'A rise that the salt passage does not share is TDS creep: the device rests long, or is not flushed.',
      lookedAt('brief', 'rise'),
    ],
    test: 'Measure the first glass, and the water after 3 minutes, with a hand meter.',
  },
  r: {
    name: 'Restrictor',
    help: [
      'The concentrate flow over the square root of the pressure: how open the flow restrictor is.',
      '100 % is the restrictor when new. Pressure, temperature and membrane hardly change it.',
      'A fall over weeks is a restrictor that clogs; with less permeate and more salt it is scaling.',
      'A rise within a day is a loose restrictor, or a flush valve that does not close.',
      lookedAt('r', 'fall'),
    ],
    test: 'Measure the concentrate for a minute with a measuring cup, and compare it with the rating of the restrictor.',
  },
  h: {
    name: 'Running pressure',
    help: [
      'The pressure while water runs over the pressure at rest; with a booster pump, the pressure while water runs.',
      '100 % is the device with a new pre-filter.',
      'A fall over weeks is a pre-filter that clogs.',
      'With a booster pump, a fall is a weak pump.',
      `${lookedAt('h', 'fall')} A pre-filter is due at ${level(clogged)} %.`,
    ],
    test: 'Take the pre-filter out, and compare the pressure while water runs.',
  },
  p: {
    name: 'Resting pressure',
    help: [
      'The pressure while no water is drawn: that of the supply.',
      '100 % is the pressure of the first days.',
      'A fall that the neighbours share is the supply, and no fault of the device.',
      'A fall at one device alone is a valve that is partly closed, or its pressure sensor.',
      `Alone it makes no finding, but it weighs among the causes of others. A fall of ${percent(sharedSizes.p, 'fall')} % that the supply shares is shown as a change of the supply.`,
    ],
    test: 'Compare the pressure at rest of the other devices on the supply, or use a pressure gauge.',
  },
  f: {
    name: 'Feed TDS',
    help: [
      'The dissolved solids in the water that the device gets.',
      '100 % is the water of the first days.',
      'A change that the neighbours share is the water of the supply, and no fault of the device.',
      'A change at one device alone, with the opposite change of its salt passage, is the TDS sensor at the inlet.',
      `Alone it makes no finding, but it weighs among the causes of others. A rise of ${percent(sharedSizes.f, 'rise')} % that the supply shares is shown as a change of the supply.`,
    ],
    test: 'Measure the feed water with a hand meter.',
  },
  rest: {
    name: 'Flow at rest',
    help: [
      'Feed water that flows while no permeate is made and nothing is flushed.',
      'It is 0 litres an hour: the shut-off valve closes once no water is drawn.',
      'As much as the concentrate is a shut-off or flush valve that does not close.',
      'Less than that is a leak.',
      `${minRestFlow} litres an hour for ${restHours} hours of a day are checked.`,
    ],
    test: 'Close the tap at the outlet: the feed should stop within minutes.',
  },
  creep: {
    name: 'TDS creep',
    help: [
      'The salt passage of short draws over that of long ones: how much salt crosses the membrane at rest.',
      'Every membrane lets some through; what it does when new is the baseline.',
      'A fall means that the device rests less, or is flushed more.',
      'A rise means that it rests longer, or that idle protection is off.',
      `A rise of ${percent(creepSize, 'rise')} % is checked.`,
    ],
    test: 'Measure the first glass, and the water after 3 minutes, with a hand meter.',
  },
  meter: {
    name: 'Meter against flow',
    help: [
      'The litres of the meter over the flow times its duration: both measure the permeate.',
      '100 % is their ratio when new.',
      'A fall is a flow sensor that shows too much, or a meter that counts too little.',
      'A rise is a flow sensor that shows too little, or a meter that counts too much.',
      `A fall of ${percent(slowSize.meter, 'fall')} % or a rise of ${percent(slowSize.meter, 'rise')} % is checked. It decides between the membrane and its flow sensor.`,
    ],
    test: 'Draw one litre into a measuring cup, and compare it with the meter.',
  },
  tank: {
    name: 'Air in the tank',
    help: [
      'How much air the tank has, from how fast the flow falls while it fills: less air gives its pressure back sooner.',
      '100 % is the tank of the first days. Devices whose flow does not fall within runs have none.',
      'A fall over weeks is a tank that has lost its precharge, or in whose air there is water.',
      'A rise means that there is more air, as after the precharge was set.',
      lookedAt('tank', 'fall'),
    ],
    test: 'Empty the tank, and measure its precharge: it should be 0.35 to 0.5 bar.',
  },
}

/** What can decide the score besides a channel. */
const otherParts: Readonly<Record<string, string>> = { life: 'Life left of a cartridge', finding: 'An open finding' }

/** Returns the name of what decides the score. */
export const partName = (part: string): string =>
  part in channelTexts ? channelTexts[part as Measured].name : (otherParts[part] ?? part)
