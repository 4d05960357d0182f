/** The notifications' list. */
import { notifications as contract } from '../../../src/api/contract/notifications.ts'
import { handler, type Handler } from '../../handler.ts'
import { ownNotifications } from '../scope.ts'
import { newestPage } from './newest.ts'
import { notificationsByIds } from './rows.ts'

const list = handler(contract.list, async ({ query, caller, services: { db } }) => {
  const { types, devices } = query
  const { count, ids } = await newestPage(db, { scope: ownNotifications(caller), types, devices }, query)
  return { count, data: await notificationsByIds(db, ids) }
})

export const notificationHandlers: readonly Handler[] = [list]
