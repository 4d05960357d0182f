/** Passwords: argon2id hashes, and the rejection of common passwords. */
import { hash, verify } from '@node-rs/argon2'
import { badRequest } from '../core/errors.ts'

/** OWASP's recommendation for argon2id (Password Storage Cheat Sheet): 19 MiB, two passes, one lane. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Number of the most common passwords that are rejected. */
const maxCommonPasswords = 3000

/** Returns the argon2id hash of a password, in PHC format with salt and cost. */
export const hashPassword = (password: string): Promise<string> => hash(password, cost)

/** Returns whether a password matches a hash. */
export const verifyPassword = (passwordHash: string, password: string): Promise<boolean> =>
  verify(passwordHash, password)

let dummyHash: Promise<string> | undefined

/** Verifies a password against a dummy hash, so that response times do not reveal whether a login exists. */
export async function verifyDummyPassword(password: string): Promise<false> {
  dummyHash ??= hashPassword('dummy password')
  await verifyPassword(await dummyHash, password)
  return false
}

let commonPasswords: Promise<ReadonlySet<string>> | undefined

/** Returns the most common passwords, from the ranked list of @zxcvbn-ts/language-common. */
async function loadCommonPasswords(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  // Shorter passwords are rejected anyway and must not use up the count.
  const eligible = dictionary['passwords-common'].filter(password => password.length >= 8)
  return new Set(eligible.slice(0, maxCommonPasswords))
}

/** Throws a 400 for a password of valid length that is one of the most common. */
export async function rejectCommonPassword(password: string): Promise<void> {
  commonPasswords ??= loadCommonPasswords()
  if ((await commonPasswords).has(password.toLowerCase()))
    throw badRequest('Password is too common, please choose another')
}

/** Returns the hash of a new password. Throws a 400 if it is one of the most common. */
export async function newPasswordHash(password: string): Promise<string> {
  await rejectCommonPassword(password)
  return hashPassword(password)
}
