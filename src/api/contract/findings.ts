/** Findings: what is wrong with a device, and how sure that is. Apart from the other calls of health, because lists load with the first row. */
import * as z from 'zod/mini'
import { findingColumns, findingStates, severities } from '../../domain/columns/findings.ts'
import { causes } from '../../domain/health/types/assessment.ts'
import { channels } from '../../domain/health/types/channels.ts'
import { deviceRoles } from '../../domain/roles.ts'
import { listDefinitions } from '../../domain/lists/lists.ts'
import { listEndpoint } from './endpoint.ts'
import { Id, Time, VendorName } from './fields.ts'

/** Another cause, with its probability in %. */
const Alternative = z.object({ cause: z.enum(causes), confidence: z.number() })

/** What one channel says about a finding. Changes are natural logarithms, except `l/h`; a salt passage may be given itself, as a `share`. */
const Evidence = z.object({
  channel: z.enum([...channels, 'rest', 'creep']),
  /** The change against what was expected, and its standard error. */
  value: z.number(),
  error: z.number(),
  unit: z.enum(['ln', 'l/h', 'share']),
  baseline: z.nullable(z.number()),
  /** The change that the neighbours show, and how many they are. */
  neighbours: z.nullable(z.object({ n: z.number(), median: z.number() })),
  /** Days with data. */
  days: z.number(),
  /** What the likeliest and the second cause would lead to. */
  expected: z.tuple([z.number(), z.nullable(z.number())]),
})

export const Finding = z.object({
  _id: Id,
  bssid: z.string(),
  /** The device's. */
  description: z.string(),
  vendor: VendorName,
  cause: z.enum(causes),
  /** Position of the cartridge that it is about; null if it is about none. */
  position: z.nullable(z.number()),
  severity: z.enum(severities),
  /** % */
  confidence: z.number(),
  alternatives: z.array(Alternative),
  evidence: z.array(Evidence),
  tempo: z.enum(['step', 'ramp']),
  detected_at: Time,
  began_early: Time,
  began_at: Time,
  began_late: Time,
  state: z.enum(findingStates),
  shelved_until: z.nullable(Time),
  reason: z.nullable(z.string()),
  /** What a person found out; `none`: nothing was wrong. */
  verdict: z.nullable(z.enum(['none', ...causes])),
  /** The account that shelved or judged it last; null where neither is so, or it was undone. */
  login: z.nullable(z.string()),
  ended_at: z.nullable(Time),
  /** When it first asked for work with a confidence of 80 % or more, which makes it a notification; null before. */
  told_at: z.nullable(Time),
})
export type Finding = z.output<typeof Finding>

export const findings = {
  list: listEndpoint({
    ...listDefinitions.findings.endpoint,
    roles: deviceRoles,
    summary: 'Findings about devices: open ones first, then the newest. A vendor sees those of its own devices.',
    row: Finding,
    columns: findingColumns,
  }),
}
