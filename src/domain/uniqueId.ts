/**
 * Returns a random id of 32 hexadecimal digits. `crypto.randomUUID` exists on secure pages only, and a console may be
 * served over plain HTTP within a company's network.
 */
export const uniqueId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), byte => byte.toString(16).padStart(2, '0')).join('')
