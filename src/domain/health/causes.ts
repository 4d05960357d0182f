/** What the causes of findings are called, what to do about each, and the test that decides whether it is the one. */
import type { Cause } from './types.ts'

interface CauseText {
  readonly name: string
  readonly advice: string
  readonly test: string
}

export const causeTexts: Readonly<Record<Cause, CauseText>> = {
  fouling: {
    name: 'Fouling',
    advice: 'Clean or replace the membrane, and check the pre-filter.',
    test: 'Measure the permeate flow after a clean: with fouling it comes back.',
  },
  scaling: {
    name: 'Scaling',
    advice: 'Flush more often, lower the recovery, and clean the membrane with acid.',
    test: 'Measure the hardness of the feed, and look for white deposits in the concentrate line.',
  },
  oxidation: {
    name: 'Oxidised membrane',
    advice: 'Replace the carbon filter and the membrane.',
    test: 'Measure free chlorine behind the carbon filter: there should be none.',
  },
  oring: {
    name: 'O-ring or brine seal',
    advice: 'Reseat the membrane with new O-rings.',
    test: 'Take the membrane out: a damaged or twisted O-ring can be seen.',
  },
  outlet_tds_sensor: {
    name: 'Outlet TDS sensor',
    advice: 'Calibrate or replace the TDS sensor at the outlet.',
    test: 'Draw water for 3 minutes and measure the permeate with a hand meter.',
  },
  inlet_tds_sensor: {
    name: 'Inlet TDS sensor',
    advice: 'Calibrate or replace the TDS sensor at the inlet.',
    test: 'Measure the feed water with a hand meter.',
  },
  prefilter: {
    name: 'Clogged pre-filter',
    advice: 'Replace the pre-filter.',
    test: 'Take the pre-filter out and compare the pressure while water runs.',
  },
  pump: {
    name: 'Weak booster pump',
    advice: 'Service the booster pump.',
    test: 'Measure the pressure behind the pump while water runs.',
  },
  restrictor_clogged: {
    name: 'Clogged flow restrictor',
    advice: 'Replace the flow restrictor.',
    test: 'Measure the concentrate for a minute with a measuring cup: it is less than rated.',
  },
  restrictor_open: {
    name: 'Loose restrictor or open flush valve',
    advice: 'Check the flow restrictor and the flush valve.',
    test: 'Measure the concentrate for a minute with a measuring cup: it is more than rated.',
  },
  flow_sensor: {
    name: 'Flow sensor',
    advice: 'Calibrate the flow sensors.',
    test: 'Draw one litre into a measuring cup and compare it with the meter.',
  },
  feed_water: {
    name: 'Changed feed water',
    advice: 'Nothing at the device: the water of its supply has changed.',
    test: 'Compare the feed TDS of the other devices on the supply.',
  },
  feed_pressure: {
    name: 'Changed feed pressure',
    advice: 'Nothing at the device: the pressure of its supply has changed.',
    test: 'Compare the pressure at rest of the other devices on the supply.',
  },
  valve_stuck: {
    name: 'Stuck valve',
    advice: 'Close the valve, and check the shut-off and the flush valve.',
    test: 'Listen at the drain while no water is drawn.',
  },
  leak: {
    name: 'Leak',
    advice: 'Close the valve, and look for water.',
    test: 'Close the tap at the outlet: the feed should stop within minutes.',
  },
  tank: {
    name: 'Storage tank',
    advice: 'Empty the tank and set its precharge to 0.35–0.5 bar, or check the shut-off valve.',
    test: 'Measure the precharge of the empty tank.',
  },
  creep: {
    name: 'TDS creep',
    advice: 'Flush before draws, and turn idle protection on.',
    test: 'Measure the first glass and the water after 3 minutes with a hand meter.',
  },
  worn: {
    name: 'Worn membrane',
    advice: 'Replace the membrane.',
    test: 'Compare flow and rejection with those of a new membrane at the same temperature.',
  },
  unknown: {
    name: 'Unknown cause',
    advice: 'Check flow, pressure and TDS by hand.',
    test: 'Draw water for 3 minutes, and measure permeate and feed with a hand meter.',
  },
}

export const causeNames = Object.fromEntries(
  Object.entries(causeTexts).map(([cause, { name }]) => [cause, name]),
) as Record<Cause, string>
