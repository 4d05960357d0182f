/** What the server shows only once while a second factor is set up. Kept in memory, until the profile is left. */
import { proxy } from 'valtio'

interface ShownOnce {
  /** The key for an authenticator whose first code is not confirmed yet. */
  key: { readonly key: string; readonly uri: string } | undefined
  recoveryCodes: readonly string[] | undefined
}

export const shownOnce = proxy<ShownOnce>({ key: undefined, recoveryCodes: undefined })

/** Shows new recovery codes, if there are any, instead of what was shown. */
export function showRecoveryCodes(codes: readonly string[]): void {
  Object.assign(shownOnce, { key: undefined, recoveryCodes: codes.length > 0 ? codes : undefined })
}

export function hideShownOnce(): void {
  Object.assign(shownOnce, { key: undefined, recoveryCodes: undefined })
}
