/** Credentials of devices at the broker: a random secret each, stored as a hash. */
import { pbkdf2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { sql } from 'drizzle-orm'
import type { Credential } from '../../../src/api/contract/devices.ts'
import { flatMapLazily } from '../../core/batches.ts'
import { insertMany } from '../../db/bulk.ts'
import type { Database } from '../../db/database.ts'
import { deviceCredentials } from '../../db/schema/wire.ts'
import { wireName } from '../../protocol/topics.ts'

const derive = promisify(pbkdf2)

/** Random bytes of a secret and of its salt, and bytes of the hash. */
const secretBytes = 32
const saltBytes = 12
const hashBytes = 64
/** Mosquitto's default of PBKDF2 iterations. Low, but enough for secrets of 256 random bits. */
const iterations = 101
/**
 * Hashes that are requested at once: Node's pool of four threads works them off in order, and files and passwords, which need it,
 * too, wait behind them.
 */
const maxConcurrent = 8

/** A new credential with the hash to store. */
export interface NewCredential extends Credential {
  readonly hash: string
}

/** Creates a secret (43 characters of base64url) for each device without storing it. */
export async function createCredentials(bssids: readonly string[]): Promise<NewCredential[]> {
  const created: NewCredential[] = []
  for (let from = 0; from < bssids.length; from += maxConcurrent)
    created.push(...(await Promise.all(bssids.slice(from, from + maxConcurrent).map(makeCredential))))
  return created
}

/** Returns a random secret. None begins with `-`, because files for spreadsheets put a character before what may be a formula. */
function newSecret(): string {
  const secret = randomBytes(secretBytes).toString('base64url')
  return secret.startsWith('-') ? newSecret() : secret
}

async function makeCredential(bssid: string): Promise<NewCredential> {
  const secret = newSecret()
  return { bssid, secret, hash: await hashOf(secret, randomBytes(saltBytes)) }
}

/** Returns a line of Mosquitto's password file. */
export const passwordLine = ({ bssid, hash }: Pick<NewCredential, 'bssid' | 'hash'>): string =>
  `${wireName(bssid)}:${hash}\n`

/** Stores the hashes, replacing earlier secrets of the devices. */
export async function storeCredentials(db: Database, created: readonly NewCredential[], now: Date): Promise<void> {
  const rows = flatMapLazily(created, ({ bssid, hash }) => [{ bssid, hash, created_at: now }])
  const replacing = sql`on conflict (bssid) do update set hash = excluded.hash, created_at = excluded.created_at`
  await insertMany(db, deviceCredentials, rows, replacing)
}

/** Returns a PBKDF2-HMAC-SHA512 hash in the format of Mosquitto's password files: `$7$iterations$salt$hash`. */
async function hashOf(secret: string, salt: Buffer): Promise<string> {
  const hash = await derive(secret, salt, iterations, hashBytes, 'sha512')
  return `$7$${iterations}$${salt.toString('base64')}$${hash.toString('base64')}`
}

/** Returns whether a secret has a stored hash; how long that takes does not reveal how much of it is right. */
export async function verifySecret(secret: string, hash: string): Promise<boolean> {
  const salt = Buffer.from(hash.split('$')[3] ?? '', 'base64')
  const actual = Buffer.from(await hashOf(secret, salt))
  const expected = Buffer.from(hash)
  return actual.length === expected.length && timingSafeEqual(actual, expected)
}
