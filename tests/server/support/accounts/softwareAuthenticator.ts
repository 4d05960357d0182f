/** A WebAuthn authenticator in software: makes ES256 keys without attestation, and signs with them. */
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest()

/** Returns the CBOR head of a major type with a number below 65,536. */
function head(major: number, value: number): Buffer {
  if (value < 24) return Buffer.from([(major << 5) | value])
  if (value < 256) return Buffer.from([(major << 5) | 24, value])
  return Buffer.from([(major << 5) | 25, value >> 8, value & 255])
}
const integer = (value: number) => (value < 0 ? head(1, -1 - value) : head(0, value))
const bytes = (value: Buffer) => Buffer.concat([head(2, value.length), value])
const text = (value: string) => Buffer.concat([head(3, value.length), Buffer.from(value)])
const map = (...entries: readonly (readonly [key: Buffer, value: Buffer])[]) =>
  Buffer.concat([head(5, entries.length), ...entries.flat()])

const flag = { present: 0x01, verified: 0x04, attested: 0x40 }

/** What a test may have the authenticator do that it should not. */
export interface Deviations {
  readonly origin?: string
  readonly domain?: string
  readonly counter?: number
  /** The person was not verified, only present. */
  readonly unverified?: boolean
}

/** The parts of the browser's options that the authenticator uses. */
export interface Options {
  readonly challenge: string
}

/** Creates an authenticator with one key. It is at an origin, as the page is whose browser uses it. */
export function softwareAuthenticator(origin: string) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x, y } = publicKey.export({ format: 'jwk' })
  const coordinate = (value = '') => bytes(Buffer.from(value, 'base64url'))
  const id = randomBytes(32)
  let signatures = 0

  const clientData = (type: string, { challenge }: Options, at: string) =>
    Buffer.from(JSON.stringify({ type, challenge, origin: at, crossOrigin: false }))
  const authenticatorData = (flags: number, deviations: Deviations, rest: readonly Buffer[] = []) => {
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(deviations.counter ?? ++signatures)
    const verified = deviations.unverified ? 0 : flag.verified
    const domain = sha256(deviations.domain ?? new URL(origin).hostname)
    return Buffer.concat([domain, Buffer.from([flags | flag.present | verified]), counter, ...rest])
  }
  const credential = <Response>(response: Response) => {
    const encoded = id.toString('base64url')
    return { id: encoded, rawId: encoded, type: 'public-key', response }
  }

  return {
    /** Returns what `navigator.credentials.create` resolves with, as JSON. */
    create(options: Options, deviations: Deviations = {}) {
      const coseKey = map(
        [integer(1), integer(2)],
        [integer(3), integer(-7)],
        [integer(-1), integer(1)],
        [integer(-2), coordinate(x)],
        [integer(-3), coordinate(y)],
      )
      const length = Buffer.from([0, id.length])
      const authData = authenticatorData(flag.attested, deviations, [Buffer.alloc(16), length, id, coseKey])
      const attestation = map(
        [text('fmt'), text('none')],
        [text('attStmt'), map()],
        [text('authData'), bytes(authData)],
      )
      return credential({
        clientDataJSON: clientData('webauthn.create', options, deviations.origin ?? origin).toString('base64url'),
        attestationObject: attestation.toString('base64url'),
        transports: ['internal'],
      })
    },

    /** Returns what `navigator.credentials.get` resolves with, as JSON. */
    sign(options: Options, deviations: Deviations = {}) {
      const client = clientData('webauthn.get', options, deviations.origin ?? origin)
      const data = authenticatorData(0, deviations)
      return credential({
        clientDataJSON: client.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: sign('sha256', Buffer.concat([data, sha256(client)]), privateKey).toString('base64url'),
      })
    },
  }
}
export type SoftwareAuthenticator = ReturnType<typeof softwareAuthenticator>
