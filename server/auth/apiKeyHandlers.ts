/** Endpoints for the API keys of the caller's own account. */
import { apiKeys } from '../../src/api/contract/apiKeys.ts'
import { badRequest, notFound } from '../core/errors.ts'
import { handler, type Handler } from '../endpoints/handler.ts'
import { findAccount, lockAgainstDeletion } from './accounts.ts'
import { createApiKey, listApiKeys, revokeApiKey } from './apiKeys.ts'
import { withAccountProof } from './secondFactorProof.ts'

export const apiKeyHandlers: readonly Handler[] = [
  handler(apiKeys.list, async ({ caller, services: { db, now } }) => {
    const rows = await listApiKeys(db, caller.account, now())
    return {
      keys: rows.map(({ id, name, scope, vendor_id, company_name, created_at, expires_at, used_at }) => ({
        _id: id,
        name,
        scope,
        vendor: vendor_id === null ? null : { _id: vendor_id, company_name: company_name! },
        created_at: created_at.toISOString(),
        expires_at: expires_at.toISOString(),
        used_at: used_at?.toISOString() ?? null,
      })),
    }
  }),

  handler(apiKeys.create, async call => {
    const { name, scope, vendor, days } = call.body
    const { db, now } = call.services
    const limit = vendor === undefined ? undefined : ({ id: vendor, role: 'vendor' } as const)
    if (limit) {
      if (call.caller.role !== 'admin') throw badRequest('Only keys of administrators can be limited to a vendor')
      // Before the proof, so that a wrong id gets the same answer whatever the password is.
      await findAccount(db, limit)
    }
    // A stolen session must not get a key that outlives it.
    const created = await withAccountProof(call, async (tx, account) => {
      if (limit) await lockAgainstDeletion(tx, limit)
      return createApiKey(tx, account, { name, scope, vendor, days }, now())
    })
    call.auditCreated([created.id])
    return { _id: created.id, key: created.key, expires_at: created.expires_at.toISOString() }
  }),

  handler(apiKeys.revoke, async ({ params, caller, services: { db, bus } }) => {
    if (!(await revokeApiKey(db, caller.account, params.id))) throw notFound('API key')
    bus.publish({ kind: 'accessEnded', accounts: [caller.account] })
    return {}
  }),
]
