/** The second factor of accounts, an addition to the specification's endpoints. */
import * as z from 'zod/mini'
import { roles } from '../../domain/roles.ts'
import { Done, endpoint } from './endpoint.ts'
import { ByIdPath, EnteredCode } from './fields.ts'
import { SecondFactorProof } from './passkeys.ts'

const RecoveryCodes = z.object({
  /** Each replaces the second factor once. Shown only now: the server stores their hashes. */
  recovery_codes: z.array(z.string()),
})

const NewKey = z.object({
  /** The key in base32, to type into an authenticator. */
  key: z.string(),
  /** The same as an `otpauth:` address, to show as a QR code. */
  uri: z.string(),
})

/** Returns the endpoint that removes the second factor of another account. */
const reset = (base: '/api/v3/admins' | '/api/v3/vendors', role: 'superadmin' | 'admin') =>
  endpoint({
    method: 'DELETE',
    path: `${base}/{id}/second-factor`,
    roles: [role],
    summary: 'Remove the second factor of another account, which has lost it. Ends all of its sessions.',
    params: ByIdPath,
    response: Done,
  })

export const secondFactor = {
  status: endpoint({
    method: 'GET',
    path: '/api/v3/auth/second-factor',
    roles,
    summary: 'Whether the caller’s account has a second factor.',
    response: z.object({
      /** Whether there is an authenticator or a passkey. */
      enabled: z.boolean(),
      authenticator: z.boolean(),
      /** Whether the account may only be used with one. */
      required: z.boolean(),
      /** The number of recovery codes that are left. */
      recovery_codes: z.number(),
    }),
  }),
  start: endpoint({
    method: 'POST',
    path: '/api/v3/auth/second-factor',
    roles,
    summary:
      'Create the key for an authenticator. It counts once its first code is confirmed. An account with a passkey proves its ' +
      'second factor with a code or a passkey in addition to the password.',
    body: SecondFactorProof,
    response: NewKey,
  }),
  confirm: endpoint({
    method: 'POST',
    path: '/api/v3/auth/second-factor/confirm',
    roles,
    summary:
      'Turn the authenticator on with its first code. The account’s first second factor ends its other sessions; one in ' +
      'addition to a passkey brings no new recovery codes while some are left.',
    body: z.strictObject({ code: EnteredCode }),
    response: RecoveryCodes,
  }),
  startReplacement: endpoint({
    method: 'POST',
    path: '/api/v3/auth/second-factor/replacement',
    roles,
    summary:
      'Create the key for another authenticator, with a code or a passkey in addition to the password. The present one ' +
      'counts until the first code of the new one is confirmed, by the same session within ten minutes.',
    body: SecondFactorProof,
    response: NewKey,
  }),
  confirmReplacement: endpoint({
    method: 'POST',
    path: '/api/v3/auth/second-factor/replacement/confirm',
    roles,
    summary:
      'Replace the authenticator, with the first code of the new one. Ends the account’s other sessions and its API keys; ' +
      'passkeys and recovery codes stay.',
    body: z.strictObject({ code: EnteredCode }),
    response: Done,
  }),
  renewCodes: endpoint({
    method: 'POST',
    path: '/api/v3/auth/second-factor/recovery-codes',
    roles,
    summary: 'Replace the recovery codes, with a code or a passkey in addition to the password.',
    body: SecondFactorProof,
    response: RecoveryCodes,
  }),
  disable: endpoint({
    method: 'DELETE',
    path: '/api/v3/auth/second-factor',
    roles,
    summary:
      'Turn the second factor off, with a code or a passkey in addition to the password: remove the authenticator, ' +
      'all passkeys and the recovery codes. 409 for an account that needs one.',
    body: SecondFactorProof,
    response: Done,
  }),
  resetAdmin: reset('/api/v3/admins', 'superadmin'),
  resetVendor: reset('/api/v3/vendors', 'admin'),
}
