/** Codes that share a device with the mobile app's users. */
import { createHash, randomBytes } from 'node:crypto'
import { devices as contract } from '../../../src/api/contract/devices.ts'
import { shareCodes } from '../../db/schema/devices.ts'
import { handler } from '../../endpoints/handler.ts'
import { ownDevice } from './detail.ts'

/** Crockford's base 32: no I, L, O or U to misread. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const length = 8
/** Milliseconds. */
const lifetime = 600_000

/** 40 bits: a byte modulo 32 is even, since 32 divides 256. */
const newCode = () => Array.from(randomBytes(length), byte => alphabet[byte % alphabet.length]).join('')

/** How a code is stored and looked up. It lives for minutes, so a fast hash will do. */
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
