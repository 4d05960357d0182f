/** Whose rows a caller may see: the one place that scopes queries by vendor. */
import { eq, type SQL } from 'drizzle-orm'
import { devices } from '../db/schema/devices.ts'
import type { Caller } from '../handler.ts'

/** Devices that the caller may see and command: a vendor's are its own. `undefined` is no limit. */
export const ownDevices = (caller: Caller): SQL | undefined =>
  caller.role === 'vendor' ? eq(devices.vendor_id, caller.account) : undefined
