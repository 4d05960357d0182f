/** Endpoints of device models. */
import { and, asc } from 'drizzle-orm'
import { models as contract } from '../../../src/api/contract/models.ts'
import { anyOf } from '../../db/anyOf.ts'
import { devices } from '../../db/schema/devices.ts'
import { deviceModels } from '../../db/schema/models.ts'
import { handler, isPreview, type Handler } from '../../endpoints/handler.ts'
import { bulkResponse } from '../shared/bulkResponse.ts'
import { countUses, usedByText } from '../shared/inUse.ts'
import { lockForWriting } from '../shared/names.ts'
import { ownModels } from '../shared/scope.ts'
import { list } from './list.ts'
import { notOwnerMessage, offersOf, save } from './save.ts'

const remove = handler(contract.delete, call => {
  const { ids } = call.body
  const { caller, services } = call
  return services.db.transaction(async tx => {
    await lockForWriting(tx, deviceModels)
    // Locked, so that no device can be assigned one of them until the transaction ends.
    const models = await tx
      .select({ id: deviceModels.id, owner: deviceModels.owner_id })
      .from(deviceModels)
      .where(and(anyOf(deviceModels.id, ids), ownModels(caller)))
      .orderBy(asc(deviceModels.id))
      .for('update')
    const uses = await countUses(
      tx,
      devices.model_id,
      models.map(({ id }) => id),
    )
    const outcomes = new Map(
      models.map(({ id, owner }) => {
        const n = uses.get(id)
        const foreign = caller.vendor !== null && owner !== caller.vendor
        return [id, foreign ? notOwnerMessage : n === undefined ? undefined : usedByText(n, 'model')]
      }),
    )
    const deletable = [...outcomes].filter(([, reason]) => reason === undefined).map(([id]) => id)
    const owners = models.flatMap(({ id, owner }) => (deletable.includes(id) ? [owner] : []))
    call.affectedVendors([...owners, ...(await offersOf(tx, deletable))])
    if (!isPreview(call)) await tx.delete(deviceModels).where(anyOf(deviceModels.id, deletable))
    return bulkResponse('Device model', ids, outcomes)
  })
})

export const modelHandlers: readonly Handler[] = [list, save, remove]
