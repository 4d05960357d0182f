/** The calls that change records of many devices. Each is recorded as a job, in the transaction that makes its changes. */
import type { BulkResponse } from '../../../src/api/contract/endpoint.ts'
import { recordCommands } from '../../../src/api/contract/jobs.ts'
import type { Database } from '../../db/database.ts'
import { withRetry } from '../../db/retry.ts'
import { handler, isPreview, type Handler } from '../../endpoints/handler.ts'
import { planOf } from '../devices/bulk.ts'
import { recordOperationOf } from '../devices/recordOperations.ts'
import { lockDevices, restorableValues, type LockedDevice, type RecordOperation } from '../devices/records.ts'
import { bulkResponse } from '../shared/bulkResponse.ts'
import { newOrderedId } from '../../db/id.ts'
import { insertCall, isWorthRecording, publishCall, replaceByCall, type Body, type RecordedCall } from './calls.ts'

export const recordHandlers: readonly Handler[] = Object.entries(recordCommands).map(([command, endpoint]) =>
  handler(endpoint, async call => {
    const { ids, ...input } = call.body as Body
    const { services, caller } = call
    const { db, now } = services
    const how = { isPreview: isPreview(call), now: now() }
    // Another call may be changing the devices or their events at the same time.
    const result = await withRetry(() => db.transaction(tx => changeRecords(tx, { caller, command, input }, ids, how)))
    const { operation, changed, isRecorded, response } = result
    if (how.isPreview) return response
    call.affectedVendors(changed.map(({ vendor }) => vendor))
    if (isRecorded) publishCall(services, caller)
    await operation.committed?.(services, changed)
    return response
  }),
)

interface CallResult {
  readonly operation: RecordOperation
  readonly changed: readonly LockedDevice[]
  readonly isRecorded: boolean
  readonly response: BulkResponse
}

/** Makes the changes of a call, and records it; a preview does neither. */
async function changeRecords(
  tx: Database,
  call: RecordedCall,
  ids: readonly string[],
  { isPreview, now }: { readonly isPreview: boolean; readonly now: Date },
): Promise<CallResult> {
  const operation = await recordOperationOf(tx, { ...call, scope: call.caller })
  const found = await lockDevices(tx, call.caller, ids, operation)
  operation.rejectTogether?.(found)
  const outcomes = new Map(found.map(device => [device.bssid, operation.blockedReason?.(device)]))
  if (isPreview) return { operation, changed: [], isRecorded: false, response: bulkResponse('Device', ids, outcomes) }
  const changed = found.filter(({ bssid }) => outcomes.get(bssid) === undefined)
  await operation.change(tx, changed, now)
  const restorable = new Map(changed.map(device => [device.bssid, restorableValues(operation, device)]))
  const plan = planOf(ids, outcomes, restorable)
  const isRecorded = isWorthRecording(plan)
  if (isRecorded) await insertCall(tx, call, plan, { at: now, isOver: true })
  else await replaceByCall(tx, call, plan, { id: newOrderedId(now), at: now })
  const { previousValues } = operation
  const previous = previousValues && new Map(changed.map(device => [device.bssid, previousValues(device)]))
  return { operation, changed, isRecorded, response: bulkResponse('Device', ids, outcomes, previous) }
}
