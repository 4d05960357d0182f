/** Endpoints of notifications. */
import { notifications as contract } from '../../../src/api/contract/notifications.ts'
import { forbidden } from '../../core/errors.ts'
import { handler, type Handler } from '../../endpoints/handler.ts'
import { ownIncidents, ownNotifications } from '../shared/scope.ts'
import { load } from './load.ts'
import { newestPage } from './newest.ts'
import { notificationsByIds, rowsOfLines } from './rows.ts'
import { countUnseen, markSeenUntil } from './seen.ts'
import { seesStorms } from './storms.ts'

const list = handler(contract.list, async ({ query, caller, services: { db } }) => {
  const { types, devices, incident } = query
  const storms = seesStorms(caller)
  const filter = { scope: ownNotifications(caller), types, devices, incident, storms }
  if (query.collapse === 'false' || incident !== undefined) {
    const { count, lines } = await newestPage(db, filter, query)
    const ids = lines.map(({ id }) => id)
    return { count, data: await notificationsByIds(db, ids) }
  }
  const { count, lines } = await newestPage(db, filter, query, { scope: ownIncidents(caller), storms })
  return { count, data: await rowsOfLines(db, lines, storms) }
})

const unseen = handler(contract.unseen, ({ caller, services: { db, now } }) => countUnseen(db, caller, now()))

const markSeen = handler(contract.markSeen, async ({ body, caller, services: { db, bus, now } }) => {
  // What an account has seen is one time for all vendors.
  if (caller.vendor !== null && caller.vendor !== caller.account)
    throw forbidden('An API key that is limited to a vendor cannot mark what its administrator has seen')
  const isNewer = await markSeenUntil(db, caller.account, new Date(body.until), now())
  if (isNewer) bus.publish({ kind: 'seen', accounts: [caller.account] })
  return countUnseen(db, caller, now())
})

export const notificationHandlers: readonly Handler[] = [list, unseen, markSeen, load]
