/**
 * The command link with which the page was opened. It is removed from the URL at once, before a route guard redirects,
 * and stored for this tab until the command has run, which may be after signing in.
 */
const key = 'permeate:link'

const { pathname, search, hash } = window.location
if (/[?&]cmd=/.test(search)) {
  try {
    sessionStorage.setItem(key, pathname + search)
    window.history.replaceState(window.history.state, '', pathname + hash)
  } catch {
    // Without session storage links do not work: the link stays in the URL.
  }
}

export interface PendingLink {
  readonly path: string
  readonly search: string
}

/** Returns the stored link; undefined if there is none. */
export function pendingLink(): PendingLink | undefined {
  try {
    // A query may itself contain question marks.
    const [path, query] = sessionStorage.getItem(key)?.split(/\?(.*)/s) ?? []
    return path !== undefined && query !== undefined ? { path, search: `?${query}` } : undefined
  } catch {
    return undefined
  }
}

export function clearPendingLink(): void {
  sessionStorage.removeItem(key)
}
