/** Passkeys (WebAuthn) of the caller's account as second factors, an addition to the specification's endpoints. */
import * as z from 'zod/mini'
import { roles } from '../../domain/roles.ts'
import { Done, endpoint } from './endpoint.ts'
import { ByIdPath, EnteredCode, EnteredPassword, Id, text, Time } from './fields.ts'

export const Passkey = z.object({
  _id: Id,
  name: z.string(),
  created_at: Time,
  /** When it last signed in; null if it never has. */
  used_at: z.nullable(Time),
})
export type Passkey = z.output<typeof Passkey>

export const PasskeyName = text(60)

const base64url = (max: number) => z.string().check(z.minLength(1), z.maxLength(max), z.regex(/^[\w-]+$/))
const credential = { id: base64url(1400), rawId: base64url(1400), type: z.literal('public-key') }
const clientDataJSON = base64url(8000)

/** What `navigator.credentials.create` resolved with, as JSON. */
const NewCredential = z.object({
  ...credential,
  response: z.object({
    clientDataJSON,
    attestationObject: base64url(60_000),
    transports: z.optional(z.array(z.string().check(z.regex(/^[a-z-]{1,32}$/))).check(z.maxLength(10))),
  }),
})

/** What `navigator.credentials.get` resolved with, as JSON. */
export const SignedCredential = z.object({
  ...credential,
  response: z.object({ clientDataJSON, authenticatorData: base64url(8000), signature: base64url(8000) }),
})

/**
 * Proves the current password and the second factor, if the account has one: by a code of the authenticator, a recovery code,
 * or a passkey.
 */
export const SecondFactorProof = z.strictObject({
  current_password: EnteredPassword,
  code: z.optional(EnteredCode),
  credential: z.optional(SignedCredential),
})

/** Options for the browser's functions, as the WebAuthn specification gives them in JSON. */
export const BrowserOptions = z.record(z.string(), z.unknown())

export const passkeys = {
  list: endpoint({
    method: 'GET',
    path: '/api/v3/auth/passkeys',
    roles,
    summary: 'The passkeys of the caller’s account.',
    response: z.object({
      passkeys: z.array(Passkey),
      /** Why the server can use no passkeys; null if it can. */
      unavailable: z.nullable(z.string()),
    }),
  }),
  start: endpoint({
    method: 'POST',
    path: '/api/v3/auth/passkeys/options',
    roles,
    summary:
      'Options for `navigator.credentials.create`, with a challenge that is valid once and for five minutes. An account with ' +
      'a second factor proves it with a code or a passkey in addition to the password.',
    body: SecondFactorProof,
    response: BrowserOptions,
  }),
  add: endpoint({
    method: 'POST',
    path: '/api/v3/auth/passkeys',
    roles,
    summary: 'Add the passkey that the browser created. The account’s first second factor ends its other sessions.',
    body: z.strictObject({ name: PasskeyName, credential: NewCredential }),
    response: z.object({
      _id: Id,
      /** New recovery codes if the account had none, shown only now; otherwise empty. */
      recovery_codes: z.array(z.string()),
    }),
  }),
  startProof: endpoint({
    method: 'POST',
    path: '/api/v3/auth/passkeys/proof/options',
    roles,
    summary:
      'Options for `navigator.credentials.get`, to prove the second factor before it is changed. The challenge is valid once ' +
      'and for five minutes.',
    response: BrowserOptions,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/v3/auth/passkeys/{id}',
    roles,
    summary:
      'Remove a passkey, with a code or a passkey in addition to the password. 409 for the only second factor of an ' +
      'account that needs one.',
    params: ByIdPath,
    body: SecondFactorProof,
    response: Done,
  }),
}
