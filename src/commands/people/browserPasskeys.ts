/** What the browser does with passkeys. The library is loaded when a passkey is used. */
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/browser'
import type { call as callServer } from '../../api/client.ts'
import { passkeys } from '../../api/contract/passkeys.ts'
import { secondFactor } from '../../api/contract/secondFactor.ts'

/** Options for the browser, as the server sends them. */
type BrowserOptions = Readonly<Record<string, unknown>>

/** Why the browser refused, by the name of its error. */
const reasons: Readonly<Record<string, string>> = {
  NotAllowedError: 'No passkey was used: it was cancelled, or took too long',
  AbortError: 'No passkey was used: it was cancelled',
  InvalidStateError: 'This device or password manager already has a passkey of your account',
  SecurityError:
    'The browser allows no passkeys at this address: it must be the one in the server’s setting PUBLIC_URL',
  ConstraintError: 'This device cannot check who uses it, by a PIN, a fingerprint or a face',
}

/** Creates a passkey. Rejects with why the browser did not. */
export async function createPasskey(options: BrowserOptions) {
  const { startRegistration } = await import('@simplewebauthn/browser')
  const optionsJSON = options as unknown as PublicKeyCredentialCreationOptionsJSON
  const { id, rawId, type, response } = await explained<RegistrationResponseJSON>(startRegistration({ optionsJSON }))
  const { clientDataJSON, attestationObject, transports = [] } = response
  return { id, rawId, type, response: { clientDataJSON, attestationObject, transports: [...transports] } }
}

/** Signs with a passkey. Rejects with why the browser did not. */
export async function signWithPasskey(options: BrowserOptions) {
  const { startAuthentication } = await import('@simplewebauthn/browser')
  const optionsJSON = options as unknown as PublicKeyCredentialRequestOptionsJSON
  const { id, rawId, type, response } = await explained<AuthenticationResponseJSON>(
    startAuthentication({ optionsJSON }),
  )
  const { clientDataJSON, authenticatorData, signature } = response
  return { id, rawId, type, response: { clientDataJSON, authenticatorData, signature } }
}

/**
 * Returns the proof for a change of the second factor: the entered password with the entered code, or with a passkey if no
 * code was entered. Rejects with the reason if the browser gives no passkey.
 */
export const secondFactorProof = async (
  call: typeof callServer,
  { current_password, code }: { readonly current_password: string; readonly code?: string | undefined },
) =>
  code === undefined
    ? { current_password, credential: await signWithPasskey(await call(passkeys.startProof)) }
    : { current_password, code }

/** Returns the proof of who changes how the account signs in: that of the second factor, or the password without one. */
export async function accountProofOf(
  call: typeof callServer,
  { current_password, code }: { readonly current_password: string; readonly code?: string | undefined },
) {
  const { enabled } = await call(secondFactor.status)
  return enabled ? secondFactorProof(call, { current_password, code }) : { current_password }
}

/** Replaces the errors of browsers, whose texts are for developers. */
async function explained<Credential>(credential: Promise<Credential>): Promise<Credential> {
  try {
    return await credential
  } catch (error) {
    const reason = error instanceof Error ? reasons[error.name] : undefined
    throw reason === undefined ? error : new Error(reason, { cause: error })
  }
}
