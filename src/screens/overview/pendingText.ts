import { plural } from '../../domain/plural.ts'

/** Says that devices have a past whose health is still being computed; undefined if none has. */
export const pendingText = (pending: number | undefined): string | undefined =>
  pending ? `The past of ${plural(pending, 'device')} is still being computed: their findings follow.` : undefined
