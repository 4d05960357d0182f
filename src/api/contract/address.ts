/** The addresses of calls. */

/** Returns the resource of a path: `devices` for `/api/v3/devices/lock`. */
export const resourceOf = (path: string): string => path.split('/')[3] ?? ''

/** Returns the address of a call, with its parameters and query. */
export function addressOf(path: string, params: unknown, query: unknown): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String((params as Record<string, unknown>)[name])),
  )
  const entries = Object.entries(query ?? {}).filter(([, value]) => value !== undefined)
  const search = new URLSearchParams(entries.map(([name, value]) => [name, String(value)])).toString()
  return search ? `${filled}?${search}` : filled
}
