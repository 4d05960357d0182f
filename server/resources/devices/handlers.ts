/** Endpoints of devices. */
import { count, eq } from 'drizzle-orm'
import { devices as contract } from '../../../src/api/contract/devices.ts'
import { devices } from '../../db/schema/devices.ts'
import { deviceValues } from '../../db/schema/deviceValues.ts'
import { handler, type Handler } from '../../endpoints/handler.ts'
import { listPage } from '../shared/list.ts'
import { ownDevices } from '../shared/scope.ts'
import { deviceList } from './columns.ts'
import { commands } from './commands.ts'
import { detail } from './detail.ts'
import { edit } from './edit.ts'
import { updateFirmware } from './firmware.ts'
import { firmware } from './firmwareVersions.ts'
import { manyStatistics } from './manyStatistics.ts'
import { devicesByKeys } from './rows.ts'
import { share } from './share.ts'
import { upload } from './upload.ts'
import { waterSupplies } from './waterSupplies.ts'

const list = handler(contract.list, async ({ query, caller, services: { db } }) => {
  const { keys, ...counted } = await listPage(db, deviceList, ownDevices(caller), query)
  return { ...counted, data: await devicesByKeys(db, keys) }
})

const counts = handler(contract.counts, ({ caller, services: { db } }) =>
  db
    .select({ status: deviceValues.status, count: count() })
    .from(deviceValues)
    .innerJoin(devices, eq(devices.bssid, deviceValues.bssid))
    .where(ownDevices(caller))
    .groupBy(deviceValues.status)
    .orderBy(deviceValues.status),
)

export const deviceHandlers: readonly Handler[] = [
  list,
  manyStatistics,
  detail,
  commands,
  counts,
  firmware,
  waterSupplies,
  share,
  upload,
  edit,
  updateFirmware,
]
