/** API keys, with which a person's own programs call the API. An addition to the specification's endpoints. */
import * as z from 'zod/mini'
import { roles } from '../../domain/roles.ts'
import { Done, endpoint, type Endpoint } from './endpoint.ts'
import { resourceOf } from './address.ts'
import { ByIdPath, Id, integer, text, Time, VendorName } from './fields.ts'
import { SecondFactorProof } from './passkeys.ts'

/** `read`: only what changes nothing. */
export const keyScopes = ['read', 'write'] as const
export type KeyScope = (typeof keyScopes)[number]
export const keyScopeNames: Readonly<Record<KeyScope, string>> = { read: 'Read only', write: 'Read and write' }

/** The days for which a key is usually valid; a client may choose others up to the last. */
export const keyLifetimes = [7, 30, 90, 365] as const
/** The maximum number of valid keys of an account. */
export const maxKeys = 20
/** How every key begins, so that people and programs that look for leaked secrets recognize one. */
export const keyPrefix = 'permeate_'

export const KeyName = text(60)

export const ApiKey = z.object({
  _id: Id,
  name: z.string(),
  scope: z.enum(keyScopes),
  /** The vendor as which it calls, if an administrator has limited it to one; null otherwise. */
  vendor: z.nullable(VendorName),
  created_at: Time,
  /** From then on the key is refused. It is listed for another 30 days. */
  expires_at: Time,
  /** When it last made a call, to the minute; null if it never has. */
  used_at: z.nullable(Time),
})
export type ApiKey = z.output<typeof ApiKey>

export const apiKeys = {
  list: endpoint({
    method: 'GET',
    path: '/api/v3/auth/keys',
    roles,
    summary: 'The API keys of the caller’s account, newest first.',
    response: z.object({ keys: z.array(ApiKey) }),
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/v3/auth/keys',
    roles,
    summary:
      'Create an API key, with a code or a passkey in addition to the password if the account has a second factor. The ' +
      `key is shown only in this response. 404 for an unknown vendor, 409 for an account with ${maxKeys} valid keys.`,
    body: z.extend(SecondFactorProof, {
      name: KeyName,
      scope: z.enum(keyScopes),
      /** Only for administrators: limits the key to what this vendor may see and do. */
      vendor: z.optional(Id),
      /** The days until it expires. */
      days: integer(1, keyLifetimes.at(-1)!),
    }),
    response: z.object({ _id: Id, key: z.string(), expires_at: Time }),
  }),
  revoke: endpoint({
    method: 'DELETE',
    path: '/api/v3/auth/keys/{id}',
    roles,
    summary: 'Revoke an API key of the caller’s account. Its next call is refused.',
    params: ByIdPath,
    response: Done,
  }),
}

/** Resources of accounts, which only people change: a stolen key must not lead to one that lives on. */
const accountResources: readonly string[] = ['admins', 'vendors', 'users']

/**
 * Returns what an API key needs to call an endpoint: reading, writing, or `undefined` if it cannot. Keys are kept from
 * everything by which accounts are created, changed, deleted and signed in to, because there a person proves who they are.
 */
export function keyAccess({ method, path, roles: callers }: Endpoint): KeyScope | undefined {
  const resource = resourceOf(path)
  if (callers === 'public' || resource === 'auth') return undefined
  if (method === 'GET') return 'read'
  return accountResources.includes(resource) ? undefined : 'write'
}
