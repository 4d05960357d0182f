/** What the causes of findings are called. Apart from the other texts about them, which the first screen does not need. */
import type { Cause } from '../types/assessment.ts'

export const causeNames: Readonly<Record<Cause, string>> = {
  fouling: 'Fouling',
  scaling: 'Scaling',
  oxidation: 'Oxidised membrane',
  oring: 'O-ring or brine seal',
  outlet_tds_sensor: 'Outlet TDS sensor',
  inlet_tds_sensor: 'Inlet TDS sensor',
  prefilter: 'Clogged pre-filter',
  pump: 'Weak booster pump',
  restrictor_clogged: 'Clogged flow restrictor',
  restrictor_open: 'Loose restrictor or open flush valve',
  flow_sensor: 'Flow sensor',
  feed_water: 'Changed feed water',
  feed_pressure: 'Changed feed pressure',
  valve_stuck: 'Stuck valve',
  leak: 'Leak',
  tank: 'Storage tank',
  creep: 'TDS creep',
  worn: 'Worn membrane',
  unknown: 'Unknown cause',
}

/** What devices and findings are called by their likeliest cause. */
export const causeLabels: Readonly<Record<Cause, string>> = { ...causeNames, unknown: 'Not sure' }
