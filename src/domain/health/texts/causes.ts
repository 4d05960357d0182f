/** What to do about the causes of findings, the test that decides whether it is the one, and what the console offers. `causeNames.ts` has their names. */
import type { Cause } from '../types/assessment.ts'

/** What the console offers first: to stop the water, to plan the replacement of cartridges, or to explain what decides. */
export type CauseAction = 'stop' | 'replace' | 'explain'

interface CauseText {
  readonly advice: string
  readonly test: string
  readonly action: CauseAction
}

export const causeTexts: Readonly<Record<Cause, CauseText>> = {
  fouling: {
    advice: 'Clean or replace the membrane, and check the pre-filter.',
    test: 'Measure the permeate flow after a clean: with fouling it comes back.',
    action: 'explain',
  },
  scaling: {
    advice: 'Flush more often, lower the recovery, and clean the membrane with acid.',
    test: 'Measure the hardness of the feed, and look for white deposits in the concentrate line.',
    action: 'explain',
  },
  oxidation: {
    advice: 'Replace the carbon filter and the membrane.',
    test: 'Measure free chlorine behind the carbon filter: there should be none.',
    action: 'replace',
  },
  oring: {
    advice: 'Reseat the membrane with new O-rings.',
    test: 'Take the membrane out: a damaged or twisted O-ring can be seen.',
    action: 'explain',
  },
  outlet_tds_sensor: {
    advice: 'Calibrate or replace the TDS sensor at the outlet.',
    test: 'Draw water for 3 minutes and measure the permeate with a hand meter.',
    action: 'explain',
  },
  inlet_tds_sensor: {
    advice: 'Calibrate or replace the TDS sensor at the inlet.',
    test: 'Measure the feed water with a hand meter.',
    action: 'explain',
  },
  prefilter: {
    advice: 'Replace the pre-filter.',
    test: 'Take the pre-filter out and compare the pressure while water runs.',
    action: 'replace',
  },
  pump: {
    advice: 'Service the booster pump.',
    test: 'Measure the pressure behind the pump while water runs.',
    action: 'explain',
  },
  restrictor_clogged: {
    advice: 'Replace the flow restrictor.',
    test: 'Measure the concentrate for a minute with a measuring cup: it is less than rated.',
    action: 'explain',
  },
  restrictor_open: {
    advice: 'Check the flow restrictor and the flush valve.',
    test: 'Measure the concentrate for a minute with a measuring cup: it is more than rated.',
    action: 'explain',
  },
  flow_sensor: {
    advice: 'Calibrate the flow sensors.',
    test: 'Draw one litre into a measuring cup and compare it with the meter.',
    action: 'explain',
  },
  feed_water: {
    advice: 'Nothing at the device: the water of its supply has changed.',
    test: 'Compare the feed TDS of the other devices on the supply.',
    action: 'explain',
  },
  feed_pressure: {
    advice: 'Nothing at the device: the pressure of its supply has changed.',
    test: 'Compare the pressure at rest of the other devices on the supply.',
    action: 'explain',
  },
  valve_stuck: {
    advice: 'Close the valve, and check the shut-off and the flush valve.',
    test: 'Listen at the drain while no water is drawn.',
    action: 'stop',
  },
  leak: {
    advice: 'Close the valve, and look for water.',
    test: 'Close the tap at the outlet: the feed should stop within minutes.',
    action: 'stop',
  },
  tank: {
    advice: 'Empty the tank and set its precharge to 0.35–0.5 bar, or check the shut-off valve.',
    test: 'Measure the precharge of the empty tank.',
    action: 'explain',
  },
  creep: {
    advice: 'Flush before draws, and turn idle protection on.',
    test: 'Measure the first glass and the water after 3 minutes with a hand meter.',
    action: 'explain',
  },
  worn: {
    advice: 'Replace the membrane.',
    test: 'Compare flow and rejection with those of a new membrane at the same temperature.',
    action: 'replace',
  },
  unknown: {
    advice: 'Check flow, pressure and TDS by hand.',
    test: 'Draw water for 3 minutes, and measure permeate and feed with a hand meter.',
    action: 'explain',
  },
}
