/**
 * An id that nobody else makes: 32 hexadecimal digits. Browsers have `crypto.randomUUID` on secure pages only, and a
 * console may be served in plain HTTP within a company's network.
 */
export const uniqueId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), byte => byte.toString(16).padStart(2, '0')).join('')
