/** Endpoint for codes that share a device with users of the mobile app. */
import { createHash, randomBytes } from 'node:crypto'
import { devices as contract } from '../../../src/api/contract/devices.ts'
import { shareCodes } from '../../db/schema/devices.ts'
import { handler } from '../../endpoints/handler.ts'
import { ownDevice } from './detail.ts'

/** Crockford's Base32, without the ambiguous I, L, O and U. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const length = 8
/** Lifetime of a code in milliseconds: ten minutes. */
const lifetime = 600_000

/** Returns a code of 40 random bits. A byte modulo 32 is unbiased, because 32 divides 256. */
const newCode = () => Array.from(randomBytes(length), byte => alphabet[byte % alphabet.length]).join('')

/** Returns the hash by which a code is stored. A fast hash is enough for codes that expire within minutes. */
export const hashOfCode = (code: string): string => createHash('sha256').update(code).digest('hex')

export const share = handler(contract.share, async ({ params, caller, services: { db, now } }) => {
  const { bssid } = await ownDevice(db, caller, params.bssid)
  const code = newCode()
  const stored = { code_hash: hashOfCode(code), expires_at: new Date(now().getTime() + lifetime) }
  await db
    .insert(shareCodes)
    .values({ bssid, ...stored })
    .onConflictDoUpdate({ target: shareCodes.bssid, set: stored })
  return { code, expires_at: stored.expires_at.toISOString() }
})
