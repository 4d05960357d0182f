/** Reads what the verdicts of all people say about the causes of findings. */
import { sql } from 'drizzle-orm'
import type { VerdictOdds } from '../../../src/domain/health/types/context.ts'
import { verdictOdds, type CauseVerdicts } from '../../../src/domain/health/verdicts/odds.ts'
import type { Database } from '../../db/database.ts'

/**
 * Returns what the verdicts of the installation multiply the odds of causes by. A verdict is compared with what the method alone
 * said when it was given, so that verdicts do not count again in what they have moved.
 */
export async function readVerdictOdds(db: Database): Promise<VerdictOdds> {
  const { rows } = await db.execute<CauseVerdicts & Record<string, unknown>>(sql`
    select claimed_cause as cause, count(*)::integer as judged,
      (count(*) filter (where verdict = claimed_cause))::integer as confirmed, sum(claimed_confidence)::float8 as expected
    from health_findings where verdict is not null group by claimed_cause`)
  return verdictOdds(rows)
}
