/** Starts the periodic tasks of a server. */
import { pruneHealth } from '../devices/health/prune.ts'
import { openUpkeep } from '../devices/ingest/upkeep.ts'
import { pruneIdempotencyKeys } from '../http/idempotency.ts'
import { pruneQueuedMails } from '../mail/mailQueue.ts'
import { pruneJobs } from '../resources/jobs/taskStore.ts'
import { hasLostServer, hasRunningServer, pruneServers } from '../servers/lease.ts'
import type { Base } from './base.ts'
import type { Closers } from './closers.ts'

const prunes = [pruneIdempotencyKeys, pruneQueuedMails, pruneJobs, pruneHealth, pruneServers]

export function startUpkeep(base: Base, closers: Closers): void {
  const { roles, tenMinuteDays } = base.config
  const isGateway = roles.includes('gateway')
  const isListening = async () => isGateway || hasRunningServer(base.db, 'gateway')
  const hasLost = (period: number) => hasLostServer(base.db, period)
  const isWorker = roles.includes('worker')
  const upkeep = openUpkeep({
    ...base,
    database: base.serving.state,
    tenMinuteDays,
    prunes,
    isGateway,
    isWorker,
    isListening,
    hasLostServer: hasLost,
  })
  closers.add(() => upkeep.close())
}
