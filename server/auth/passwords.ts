/** Passwords: argon2id hashes, and which passwords may be chosen. */
import { hash, verify } from '@node-rs/argon2'
import { badRequest } from '../core/errors.ts'

/** OWASP's first choice for argon2id (Password Storage Cheat Sheet): 19 MiB, two passes, one lane. argon2id is the default. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** How many of the most common passwords are refused. */
const maxCommonPasswords = 3000

/** The argon2id hash of a password, salt and cost included. */
export const hashPassword = (password: string): Promise<string> => hash(password, cost)

/** Whether the password is that of the hash. */
export const verifyPassword = (passwordHash: string, password: string): Promise<boolean> =>
  verify(passwordHash, password)

let dummyHash: Promise<string> | undefined

/** Takes as long as checking a real password, and never fits: for a login that does not exist. */
export async function verifyDummyPassword(password: string): Promise<false> {
  dummyHash ??= hashPassword('the password of nobody')
  await verifyPassword(await dummyHash, password)
  return false
}

let commonPasswords: Promise<ReadonlySet<string>> | undefined

/** The ranked list `passwords-common` of @zxcvbn-ts/language-common, loaded when first needed. */
async function loadCommonPasswords(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  // Those too short to be chosen anyway do not use up the count.
  const eligible = dictionary['passwords-common'].filter(password => password.length >= 8)
  return new Set(eligible.slice(0, maxCommonPasswords))
}

/** Throws a 400 when a password, of valid length, is one of the most common. */
export async function rejectCommonPassword(password: string): Promise<void> {
  commonPasswords ??= loadCommonPasswords()
  if ((await commonPasswords).has(password.toLowerCase()))
    throw badRequest('Password is too common, please choose another')
}

/** The hash of a password that somebody chose. Throws a 400 when it is one of the most common. */
export async function newPasswordHash(password: string): Promise<string> {
  await rejectCommonPassword(password)
  return hashPassword(password)
}
