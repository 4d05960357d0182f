/**
 * The link to a command with which the page was opened. It is taken out of the address at once, before a guard leads
 * elsewhere, and kept for this tab alone until it has been followed: also while one signs in.
 */
const key = 'permeate:link'

const { pathname, search, hash } = window.location
if (/[?&]cmd=/.test(search)) {
  try {
    sessionStorage.setItem(key, pathname + search)
    window.history.replaceState(window.history.state, '', pathname + hash)
  } catch {
    // Where nothing can be stored, no link can be followed: it stays in the address.
  }
}

export interface AskedLink {
  readonly path: string
  readonly search: string
}

/** The link that waits to be followed. */
export function askedLink(): AskedLink | undefined {
  try {
    // A query may have question marks of its own.
    const [path, asked] = sessionStorage.getItem(key)?.split(/\?(.*)/s) ?? []
    return path !== undefined && asked !== undefined ? { path, search: `?${asked}` } : undefined
  } catch {
    return undefined
  }
}

export function forgetLink(): void {
  sessionStorage.removeItem(key)
}
