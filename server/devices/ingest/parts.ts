import type { Database } from '../../db/database.ts'
import type { Bus } from '../../bus/bus.ts'
import type { Log } from '../../core/log.ts'
import type { AlarmJudge } from '../alarms/judge.ts'
import type { Counted } from '../gateway/limits.ts'

/** What the taking in of messages works with. */
export interface IngestParts {
  readonly db: Database
  readonly bus: Bus
  readonly log: Log
  readonly now: () => Date
  readonly alarms: AlarmJudge
  readonly counted: Counted
  /** Days for which readings are kept: older ones are not taken. */
  readonly rawDays: number
}
