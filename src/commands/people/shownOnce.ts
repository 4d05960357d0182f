/** What the server shows only once: of a second factor that is set up, and new API keys. Kept in memory, until the profile is left. */
import { proxy } from 'valtio'

interface ShownOnce {
  /** The key for an authenticator whose first code is not confirmed yet, and whether it takes the place of another one. */
  key: { readonly key: string; readonly uri: string; readonly replaces: boolean } | undefined
  recoveryCodes: readonly string[] | undefined
  apiKey: { readonly name: string; readonly key: string } | undefined
}

export const shownOnce = proxy<ShownOnce>({ key: undefined, recoveryCodes: undefined, apiKey: undefined })

/** Shows new recovery codes, if there are any, instead of what was shown. */
export function showRecoveryCodes(codes: readonly string[]): void {
  Object.assign(shownOnce, { key: undefined, recoveryCodes: codes.length > 0 ? codes : undefined })
}

/** Hides what is shown of the second factor. */
export function hideShownOnce(): void {
  Object.assign(shownOnce, { key: undefined, recoveryCodes: undefined })
}

export function hideApiKey(): void {
  shownOnce.apiKey = undefined
}
