/** What a worker does: jobs, mails, the audit log's open entries, and the history of a demo. */
import { startAuditUpkeep } from '../audit/upkeep.ts'
import { openAccountMails } from '../auth/accountMails.ts'
import { startHistory } from '../demo/history.ts'
import type { Link } from '../devices/link.ts'
import { openMail } from '../mail/mail.ts'
import { openMailQueue, type MailQueue } from '../mail/mailQueue.ts'
import { watchMail } from '../metrics/watch.ts'
import { openJobRunner } from '../resources/jobs/runner.ts'
import type { Base } from './base.ts'
import type { Closers } from './closers.ts'

/** Starts the work. Resolves once the entries of calls that a killed server has left are closed. */
export async function startWork(base: Base, link: Link, closers: Closers): Promise<{ readonly mails: MailQueue }> {
  const { config, db, telemetry, log, now, metrics } = base
  const database = base.serving.state
  const mail = watchMail(openMail(config, log), metrics)
  const mails = openMailQueue({ db, database, mail, compose: openAccountMails(config, now), log, now })
  closers.add(mails.close)
  const auditUpkeep = await startAuditUpkeep({ db, log, now, isAlone: config.databaseUrl === undefined })
  closers.add(auditUpkeep.close)
  const jobs = openJobRunner({ ...base, database, link })
  closers.add(jobs.close)
  if (config.demo)
    closers.add(startHistory({ db, telemetry, database, log, fleet: config.fleet, days: config.history }).close)
  return { mails }
}
