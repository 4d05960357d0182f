/** The analysis of a water supply. */
import * as z from 'zod/mini'
import { number, Time, VendorName, withMeta } from '../fields.ts'

/** The analysis of a supply's water, as a waterworks publishes it or a test kit shows it. */
export const SupplyWater = z.strictObject({
  calcium_hardness: withMeta(number(0, 2000), {
    label: 'Calcium hardness',
    unit: 'mg/l CaCO₃',
    hint: '1 °dH is 17.8, 1 °fH is 10, 1 gpg is 17.1, 1 mg/l of calcium is 2.5',
  }),
  alkalinity: withMeta(number(0, 2000), {
    label: 'Alkalinity',
    unit: 'mg/l CaCO₃',
    hint: '1 mmol/l is 50, 1 mg/l of bicarbonate is 0.82',
  }),
  ph: withMeta(number(4, 11), { label: 'pH' }),
})

/** An analysis with who entered it, and when. */
export const StoredWater = z.object({
  calcium_hardness: z.number(),
  alkalinity: z.number(),
  ph: z.number(),
  login: z.string(),
  updated_at: Time,
})

/** A supply with its analysis. Labels that differ only in case are the same supply of a vendor. */
export const AnalysedSupply = z.object({
  vendor: VendorName,
  water_supply: z.string(),
  water: StoredWater,
})
export type AnalysedSupply = z.output<typeof AnalysedSupply>
