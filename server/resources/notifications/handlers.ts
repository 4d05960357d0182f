/** Endpoints of notifications. */
import { notifications as contract } from '../../../src/api/contract/notifications.ts'
import { handler, type Handler } from '../../endpoints/handler.ts'
import { ownNotifications } from '../shared/scope.ts'
import { newestPage } from './newest.ts'
import { notificationsByIds } from './rows.ts'
import { countUnseen, markSeenUntil } from './seen.ts'

const list = handler(contract.list, async ({ query, caller, services: { db } }) => {
  const { types, devices } = query
  const { count, ids } = await newestPage(db, { scope: ownNotifications(caller), types, devices }, query)
  return { count, data: await notificationsByIds(db, ids) }
})

const unseen = handler(contract.unseen, ({ caller, services: { db } }) => countUnseen(db, caller))

const markSeen = handler(contract.markSeen, async ({ body, caller, services: { db, bus, now } }) => {
  const isNewer = await markSeenUntil(db, caller.account, new Date(body.until), now())
  if (isNewer) bus.publish({ kind: 'seen', accounts: [caller.account] })
  return countUnseen(db, caller)
})

export const notificationHandlers: readonly Handler[] = [list, unseen, markSeen]
