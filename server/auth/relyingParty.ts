/** The name under which browsers keep passkeys (the WebAuthn relying party), from the console's public URL. */
import { isIP } from 'node:net'
import { conflict } from '../core/errors.ts'
import type { Services } from '../endpoints/handler.ts'

export interface RelyingParty {
  /** The domain; passkeys of another one are not offered by browsers. */
  readonly id: string
  /** The origin at which passkeys have to sign. */
  readonly origin: string
}

/** Returns the relying party of a public URL, or why browsers allow no passkeys there. */
export function relyingPartyOf(publicUrl: string): RelyingParty | { readonly unavailable: string } {
  const { hostname, origin, protocol } = new URL(publicUrl)
  if (isIP(hostname) !== 0 || hostname.startsWith('['))
    return {
      unavailable: `Passkeys need a domain name, and the setting PUBLIC_URL of the server has an address: ${origin}`,
    }
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost')
  if (protocol !== 'https:' && !isLocal)
    return { unavailable: `Passkeys need HTTPS, and the setting PUBLIC_URL of the server has none: ${origin}` }
  return { id: hostname, origin }
}

/** Returns the server's relying party. Throws a 409 with the reason if it can use no passkeys. */
export function needRelyingParty({ config }: Pick<Services, 'config'>): RelyingParty {
  const party = relyingPartyOf(config.publicUrl)
  if ('unavailable' in party) throw conflict(party.unavailable)
  return party
}
