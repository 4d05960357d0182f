/** A device's key as it is stored and shown: twelve upper-case hex digits in pairs, `A4:1C:09:7E:33:0B`. */
export const bssidPattern = /^[0-9A-F]{2}(:[0-9A-F]{2}){5}$/

/** Brings any usual spelling (no separators, dashes, lower case) to the stored one; what is no bssid stays as typed. */
export function normaliseBssid(text: string): string {
  const digits = text.trim().replace(/[:\-.\s]/g, '')
  return /^[0-9a-f]{12}$/i.test(digits) ? digits.toUpperCase().replace(/..(?=.)/g, '$&:') : text.trim()
}
