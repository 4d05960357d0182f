/** Passkeys (WebAuthn) as second factors: challenges, registering and checking them. */
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server'
import { and, eq, gt, lt } from 'drizzle-orm'
import * as z from 'zod/mini'
import { msPerMinute } from '../../src/domain/time.ts'
import { conflict, HttpError } from '../core/errors.ts'
import type { Database } from '../db/database.ts'
import { newId } from '../db/id.ts'
import { passkeyChallenges, passkeys } from '../db/schema/secondFactors.ts'
import type { RelyingParty } from './relyingParty.ts'
import { hashToken, newToken } from './tokens.ts'

/** Milliseconds in which a challenge has to be signed. */
const challengeLifetime = 5 * msPerMinute
const maxPasskeys = 20
/** EdDSA, ES256 and RS256, which all authenticators have between them, by their COSE numbers. */
const algorithms = [-8, -7, -257]

/** Loaded when it is needed first, because it brings parsers of certificates that most servers never use. */
const loadLibrary = () => import('@simplewebauthn/server')

const maxReasonLength = 300

/**
 * The error for a passkey that is unknown, of another account or site, or whose challenge or signature is not right. The
 * reason is for the log; it may quote what a client has sent, such as an origin.
 */
const notAccepted = (reason: string) =>
  new HttpError(
    400,
    'This passkey was not accepted, please try again',
    {},
    reason
      .replaceAll(/\p{Cc}+/gu, ' ')
      .slice(0, maxReasonLength)
      .toWellFormed(),
  )

/** Who has to sign a challenge. */
export interface ChallengeHolder {
  readonly account: string
  /** The id of the session that adds a passkey or proves itself, or the hash of the login ticket. */
  readonly id: string
}

/** Creates a challenge; it replaces an earlier one of the holder. */
async function issueChallenge(db: Database, { account, id }: ChallengeHolder, now: Date): Promise<string> {
  const challenge = newToken()
  const stored = {
    account_id: account,
    hash: hashToken(challenge),
    expires_at: new Date(now.getTime() + challengeLifetime),
  }
  await db.delete(passkeyChallenges).where(lt(passkeyChallenges.expires_at, now))
  await db
    .insert(passkeyChallenges)
    .values({ holder: id, ...stored })
    .onConflictDoUpdate({ target: passkeyChallenges.holder, set: stored })
  return challenge
}

const ClientData = z.object({ challenge: z.string() })

/** Uses up the challenge that was signed, whether or not the signature is right, and returns it. Throws a 400 without it. */
async function takeChallenge(
  db: Database,
  { account, id }: ChallengeHolder,
  clientData: string,
  now: Date,
): Promise<string> {
  const { challenge } = parseClientData(clientData)
  const signedChallenge = and(
    eq(passkeyChallenges.holder, id),
    eq(passkeyChallenges.account_id, account),
    eq(passkeyChallenges.hash, hashToken(challenge)),
    gt(passkeyChallenges.expires_at, now),
  )
  const taken = await db
    .delete(passkeyChallenges)
    .where(signedChallenge)
    .returning({ holder: passkeyChallenges.holder })
  if (taken.length === 0) throw notAccepted('its challenge is unknown, used, expired, or of another session')
  return challenge
}

function parseClientData(clientData: string): z.output<typeof ClientData> {
  try {
    return z.parse(ClientData, JSON.parse(Buffer.from(clientData, 'base64url').toString('utf8')))
  } catch {
    throw notAccepted('its client data has no challenge')
  }
}

/** Returns what the library has verified. It throws plain errors for invalid input, so all count as not verified. */
async function verified<Result extends { readonly verified: boolean }>(
  verify: () => Promise<Result>,
): Promise<Result & { readonly verified: true }> {
  const result = await verify().catch((error: unknown) => {
    throw notAccepted(error instanceof Error ? error.message : String(error))
  })
  if (!isVerified(result)) throw notAccepted('its signature is wrong')
  return result
}

const isVerified = <Result extends { readonly verified: boolean }>(
  result: Result,
): result is Result & { readonly verified: true } => result.verified

const ownPasskeys = (account: string) => eq(passkeys.account_id, account)

/** Returns the passkeys of an account, the first one first. */
export const listPasskeys = (db: Database, account: string): Promise<(typeof passkeys.$inferSelect)[]> =>
  db.select().from(passkeys).where(ownPasskeys(account)).orderBy(passkeys.created_at, passkeys.id)

const descriptors = (rows: readonly (typeof passkeys.$inferSelect)[]) =>
  rows.map(({ credential_id, transports }) => ({ id: credential_id, transports }))

/** Returns the options with which a browser creates a passkey for the account. Throws a 409 if it already has 20. */
export async function registrationOptions(
  db: Database,
  party: RelyingParty,
  { login, ...holder }: ChallengeHolder & { readonly login: string },
  now: Date,
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const existing = await listPasskeys(db, holder.account)
  if (existing.length >= maxPasskeys) throw tooMany()
  const { generateRegistrationOptions } = await loadLibrary()
  return generateRegistrationOptions({
    rpName: 'Permeate',
    rpID: party.id,
    userName: login,
    userDisplayName: login,
    userID: new TextEncoder().encode(holder.account),
    challenge: Buffer.from(await issueChallenge(db, holder, now), 'base64url'),
    timeout: challengeLifetime,
    attestationType: 'none',
    supportedAlgorithmIDs: algorithms,
    excludeCredentials: descriptors(existing),
    // Unlocked by a fingerprint, face or PIN, a passkey is more than the possession of a device.
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
  })
}

const tooMany = () => conflict(`This account already has ${maxPasskeys} passkeys`)

/** A passkey that has proved itself, and is not stored yet. */
type NewPasskey = Pick<typeof passkeys.$inferInsert, 'credential_id' | 'public_key' | 'counter' | 'transports'>

/** Checks what a browser created, and uses up its challenge. Throws a 400 if anything is not right. */
export async function verifyRegistration(
  db: Database,
  party: RelyingParty,
  holder: ChallengeHolder,
  response: RegistrationResponseJSON,
  now: Date,
): Promise<NewPasskey> {
  const expectedChallenge = await takeChallenge(db, holder, response.response.clientDataJSON, now)
  const { verifyRegistrationResponse } = await loadLibrary()
  const result = await verified(() =>
    verifyRegistrationResponse({
      response,
      expectedChallenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
      supportedAlgorithmIDs: algorithms,
    }),
  )
  const { id, publicKey, counter } = result.registrationInfo.credential
  return {
    credential_id: id,
    public_key: Buffer.from(publicKey).toString('base64url'),
    counter,
    transports: response.response.transports ?? [],
  }
}

/** Stores a passkey, and returns its id. Throws a 409 if any account has it, or this one too many. */
export async function storePasskey(
  tx: Database,
  account: string,
  { name, ...passkey }: NewPasskey & { readonly name: string },
  now: Date,
): Promise<string> {
  if ((await tx.$count(passkeys, ownPasskeys(account))) >= maxPasskeys) throw tooMany()
  const id = newId()
  const stored = await tx
    .insert(passkeys)
    .values({ id, account_id: account, name, ...passkey, created_at: now })
    .onConflictDoNothing()
    .returning({ id: passkeys.id })
  if (stored.length === 0) throw conflict('This passkey is already registered')
  return id
}

/** Returns the options with which a browser signs with one of the account's passkeys. */
export async function authenticationOptions(
  db: Database,
  party: RelyingParty,
  holder: ChallengeHolder,
  now: Date,
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const existing = await listPasskeys(db, holder.account)
  if (existing.length === 0) throw conflict('This account has no passkey')
  const { generateAuthenticationOptions } = await loadLibrary()
  return generateAuthenticationOptions({
    rpID: party.id,
    allowCredentials: descriptors(existing),
    challenge: Buffer.from(await issueChallenge(db, holder, now), 'base64url'),
    timeout: challengeLifetime,
    userVerification: 'required',
  })
}

/** A valid signature: the passkey's id, and the authenticator's count of signatures. */
export interface Assertion {
  readonly id: string
  readonly counter: number
}

/** Checks the signature of one of the account's passkeys, and uses up its challenge. Throws a 400 if it is not right. */
export async function verifyAssertion(
  db: Database,
  party: RelyingParty,
  holder: ChallengeHolder,
  response: AuthenticationResponseJSON,
  now: Date,
): Promise<Assertion> {
  const expectedChallenge = await takeChallenge(db, holder, response.response.clientDataJSON, now)
  const signingPasskey = and(ownPasskeys(holder.account), eq(passkeys.credential_id, response.id))
  const [passkey] = await db.select().from(passkeys).where(signingPasskey)
  if (!passkey) throw notAccepted('the account has no such passkey')
  const { verifyAuthenticationResponse } = await loadLibrary()
  const result = await verified(() =>
    verifyAuthenticationResponse({
      response,
      expectedChallenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
      credential: {
        id: passkey.credential_id,
        publicKey: new Uint8Array(Buffer.from(passkey.public_key, 'base64url')),
        counter: passkey.counter,
      },
    }),
  )
  return { id: passkey.id, counter: result.authenticationInfo.newCounter }
}

/**
 * Stores that a passkey has signed. Throws a 400 if it was removed, or has signed as often before: then it exists twice,
 * or another sign-in was quicker.
 */
export async function storeUse(tx: Database, { id, counter }: Assertion, now: Date): Promise<void> {
  // Authenticators that do not count always send 0.
  const lowerCounter = counter === 0 ? eq(passkeys.counter, 0) : lt(passkeys.counter, counter)
  const used = await tx
    .update(passkeys)
    .set({ counter, used_at: now })
    .where(and(eq(passkeys.id, id), lowerCounter))
    .returning({ id: passkeys.id })
  if (used.length === 0) throw notAccepted('it was removed, or has signed as often before: it may have been copied')
}

const ownPasskey = (account: string, id: string) => and(ownPasskeys(account), eq(passkeys.id, id))

/** Returns whether the account has the passkey of this id. */
export const hasPasskey = async (db: Database, account: string, id: string): Promise<boolean> =>
  (await db.$count(passkeys, ownPasskey(account, id))) > 0

/** Removes a passkey of the account. Returns whether there was one. */
export async function removePasskey(tx: Database, account: string, id: string): Promise<boolean> {
  return (await tx.delete(passkeys).where(ownPasskey(account, id)).returning({ id: passkeys.id })).length > 0
}
