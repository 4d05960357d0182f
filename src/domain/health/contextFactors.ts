/** What else is known of a device, as factors on how probable causes are. */
import type { ChangePoint } from './maths/changePoint.ts'
import { msPerDay } from '../time.ts'
import type { Cause } from './types/assessment.ts'
import type { CartridgeKind } from './types/cartridges.ts'
import type { HealthContext } from './types/context.ts'
import type { HealthState } from './types/state.ts'

/** Returns whether the device has a cartridge of the kind that is beyond its days or litres. */
export const overdue = ({ cartridges, day }: HealthContext, kind: CartridgeKind): boolean =>
  cartridges.some(
    ({ kind: own, installed_at, litres, resource, ttl }) =>
      own === kind && (litres > resource || day * msPerDay > installed_at + ttl * msPerDay),
  )

/** Days after a replacement in which a step is put down to it. */
const afterReplacement = 3

/** Returns by how much scaling is likelier at a Langelier index of the concentrate: carbonate settles above 0 only. */
export const scalingFactor = (langelier: number): number => (langelier > 0 ? 2 : 0.05)

/** Returns the factors of the causes; 0 excludes a cause, a missing one is 1. */
export function contextFactors(
  state: HealthState,
  context: HealthContext,
  began: Pick<ChangePoint, 'early' | 'late'>,
): Partial<Record<Cause, number>> {
  const isLate = overdue(context, 0)
  const isReplaced = state.replaced.some(
    ({ day }) => day >= began.early - afterReplacement && day <= began.late + afterReplacement,
  )
  return {
    fouling: isLate ? 2 : 1,
    oxidation: isLate ? 2 : 1,
    oring: isReplaced ? 6 : 0.6,
    scaling: context.langelier === undefined ? 1 : scalingFactor(context.langelier),
  }
}
