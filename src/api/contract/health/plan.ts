/** When cartridges are due, and suggested visits that replace them. */
import * as z from 'zod/mini'
import { supplyPlace, Time } from '../fields.ts'

/** When a cartridge is due, in a plan. */
const DueCartridge = z.object({
  bssid: z.string(),
  position: z.number(),
  /** The model of the cartridge. */
  model: z.string(),
  due_at: Time,
  early_at: Time,
  late_at: Time,
})
/** A visit that replaces cartridges of one supply which are due in the same week. */
const PlannedVisit = z.object({
  ...supplyPlace,
  /** The suggested start, at 09:00 on a working day, and end. */
  at: Time,
  until: Time,
  cartridges: z.array(DueCartridge),
  /** The number of its devices, at most as many as an event can have. */
  count: z.number(),
  /** A supply and week with more devices is divided into `parts` visits; this is number `part`, from 1. */
  part: z.number(),
  parts: z.number(),
})

export const Plan = z.object({
  visits: z.array(PlannedVisit),
  /** Number of cartridges that are due in this time beyond the 10,000 first ones, which the visits have. */
  more: z.number(),
})
export type Plan = z.output<typeof Plan>

/** A device with the forecasts of its cartridges. */
export const DueDevice = z.object({
  bssid: z.string(),
  ...supplyPlace,
  cartridges: z.array(
    z.object({
      ...DueCartridge.shape,
      /** The start of an event of the device within a week of early–late; null if there is none. */
      planned_at: z.nullable(Time),
    }),
  ),
})
export type DueDevice = z.output<typeof DueDevice>
