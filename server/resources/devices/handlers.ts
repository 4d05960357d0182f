/** Endpoints of devices. */
import { devices as contract } from '../../../src/api/contract/devices.ts'
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

export const deviceHandlers: readonly Handler[] = [
  list,
  manyStatistics,
  detail,
  commands,
  firmware,
  waterSupplies,
  share,
  upload,
  edit,
  updateFirmware,
]
