/** What a device was told to do. */
import * as z from 'zod/mini'
import { Id, Time } from './fields.ts'

export const sentCommandStates = ['sent', 'done', 'refused', 'unanswered'] as const
/** A command as it was sent to a device; `values` are its settings in base units, by their names on the wire. */
export const SentCommand = z.object({
  _id: Id,
  /** `flush`, `set_uv`, `update_firmware` …: the protocol's name for it. */
  type: z.string(),
  values: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
  state: z.enum(sentCommandStates),
  /** Why it was not done. */
  reason: z.nullable(z.string()),
  created_at: Time,
  ended_at: z.nullable(Time),
})
export type SentCommand = z.output<typeof SentCommand>
