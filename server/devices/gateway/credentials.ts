/** What devices sign in with at the broker: a random secret each, of which only a hash is kept. */
import { pbkdf2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { sql } from 'drizzle-orm'
import type { Credential } from '../../../src/api/contract/devices.ts'
import { insertMany } from '../../db/bulk.ts'
import type { Database } from '../../db/database.ts'
import { deviceCredentials } from '../../db/schema/wire.ts'
import { wireName } from '../../protocol/topics.ts'

const derive = promisify(pbkdf2)

/** Bytes: what guessing is up against. */
const secretBytes = 32
const saltBytes = 12
const hashBytes = 64
/** Mosquitto's own number. It is low, which is enough: nobody guesses 256 random bits, however fast each try is. */
const iterations = 101
/** Hashed at a time: the threads that do it also serve files and passwords. */
const maxConcurrent = 8

/** A credential with the hash that is stored of it. */
export interface NewCredential extends Credential {
  readonly hash: string
}

/** A new secret (43 characters of base64url) for each device; nothing is stored. */
export async function createCredentials(bssids: readonly string[]): Promise<NewCredential[]> {
  const created: NewCredential[] = []
  for (let from = 0; from < bssids.length; from += maxConcurrent)
    created.push(...(await Promise.all(bssids.slice(from, from + maxConcurrent).map(makeCredential))))
  return created
}

/** None begins with `-`: a spreadsheet would take it for a formula, and what disarms formulas would spoil it. */
function newSecret(): string {
  const secret = randomBytes(secretBytes).toString('base64url')
  return secret.startsWith('-') ? newSecret() : secret
}

async function makeCredential(bssid: string): Promise<NewCredential> {
  const secret = newSecret()
  return { bssid, secret, hash: await hashOf(secret, randomBytes(saltBytes)) }
}

/** A line of Mosquitto's password file. */
export const passwordLine = ({ bssid, hash }: Pick<NewCredential, 'bssid' | 'hash'>): string =>
  `${wireName(bssid)}:${hash}\n`

/** Stores the hashes; a device's earlier secret stops working. */
export async function storeCredentials(db: Database, created: readonly NewCredential[], now: Date): Promise<void> {
  const rows = created.map(({ bssid, hash }) => ({ bssid, hash, created_at: now }))
  const replacing = sql`on conflict (bssid) do update set hash = excluded.hash, created_at = excluded.created_at`
  await insertMany(db, deviceCredentials, rows, replacing)
}

/** PBKDF2-HMAC-SHA512 as a line of Mosquitto's password file has it, after the user name and the colon. */
async function hashOf(secret: string, salt: Buffer): Promise<string> {
  const hash = await derive(secret, salt, iterations, hashBytes, 'sha512')
  return `$7$${iterations}$${salt.toString('base64')}$${hash.toString('base64')}`
}

/** Whether the secret is the one that the hash was made of. It takes as long for one that is nearly right. */
export async function verifySecret(secret: string, hash: string): Promise<boolean> {
  const salt = Buffer.from(hash.split('$')[3] ?? '', 'base64')
  const given = Buffer.from(await hashOf(secret, salt))
  const stored = Buffer.from(hash)
  return given.length === stored.length && timingSafeEqual(given, stored)
}
