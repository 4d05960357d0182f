/** Commands sent to a device. */
import * as z from 'zod/mini'
import { Id, Time } from './fields.ts'

export const sentCommandStates = ['sent', 'done', 'refused', 'unanswered'] as const
/** A command sent to a device. `values`: its settings in base units, by their names in the device protocol. */
export const SentCommand = z.object({
  _id: Id,
  /** The protocol's name: `flush`, `set_uv`, `update_firmware` … */
  type: z.string(),
  values: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
  state: z.enum(sentCommandStates),
  /** Why the device did not execute it. */
  reason: z.nullable(z.string()),
  created_at: Time,
  ended_at: z.nullable(Time),
})
export type SentCommand = z.output<typeof SentCommand>
