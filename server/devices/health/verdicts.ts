/** What the verdicts of all people say about the causes of findings. */
import { sql, type SQL } from 'drizzle-orm'

/**
 * SQL: the verdicts of the installation as a JSON array of `CauseVerdicts`; null without verdicts. A verdict is compared with what
 * the method alone said when it was given, so that verdicts do not count again in what they have moved.
 */
export const causeVerdicts: SQL = sql`
  select json_agg(each) from (
    select claimed_cause as cause, count(*)::integer as judged,
      (count(*) filter (where verdict = claimed_cause))::integer as confirmed, sum(claimed_confidence)::float8 as expected
    from health_findings where verdict is not null group by claimed_cause) as each`
