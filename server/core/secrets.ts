/** Encrypts secrets that the server has to read again, such as the keys of authenticators, with a key of its own. */
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'
import { hkdfSync, randomBytes } from 'node:crypto'
import { dirname, join } from 'node:path'
import { ConfigError, type Config } from './config.ts'
import { fsyncFolderBlocking } from './durableMove.ts'
import { seal, unseal } from './seal.ts'

export interface Secrets {
  /** Identifies the key, to distinguish secrets that another key encrypted; the key cannot be derived from it. */
  readonly keyId: string
  /** `purpose` says what the text is and whose, so that no secret can be put in the place of another. */
  seal(text: string, purpose: string): string
  /** Throws if the key, the purpose or the text is another one. */
  unseal(sealed: string, purpose: string): string
}

const fileName = 'secrets.key'
const fileKeyPattern = /^[\w-]{43}$/

/**
 * Returns the secrets of SECRETS_KEY or, with an embedded database, of a key file in the data folder, which the first start
 * creates. Undefined with DATABASE_URL alone: several servers may share that database, and a key file is one server's.
 * Throws a `ConfigError` if the key file is damaged or cannot be read.
 */
export function openSecrets(config: Pick<Config, 'secretsKey' | 'databaseUrl' | 'dataDir'>): Secrets | undefined {
  const key = config.secretsKey ?? (config.databaseUrl === undefined ? readKeyFile(config.dataDir) : undefined)
  if (key === undefined) return undefined
  const keyId = Buffer.from(hkdfSync('sha256', key, '', 'permeate key id', 12)).toString('base64url')
  return {
    keyId,
    seal: (text, purpose) => seal(text, key, purpose),
    unseal: (text, purpose) => unseal(text, key, purpose),
  }
}

function readKeyFile(dataDir: string): string {
  const path = join(dataDir, fileName)
  const stored = readIfPresent(path)
  if (stored === undefined) return createKeyFile(path)
  if (!fileKeyPattern.test(stored))
    throw new ConfigError(
      `${path} is damaged: it must contain the key that this server wrote. Restore it, or delete it; ` +
        'accounts with a second factor then sign in with a recovery code and set it up again.',
    )
  return stored
}

function readIfPresent(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    const reason = error instanceof Error ? error.message : String(error)
    throw new ConfigError(`${path} cannot be read: ${reason}. It must belong to the user of the server.`)
  }
}

/** Writes a new key, whole or not at all, and to the disk. */
function createKeyFile(path: string): string {
  const key = randomBytes(32).toString('base64url')
  const file = openSync(`${path}.new`, 'w', 0o600)
  try {
    writeSync(file, `${key}\n`)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  renameSync(`${path}.new`, path)
  fsyncFolderBlocking(dirname(path))
  return key
}
