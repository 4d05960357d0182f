/** The stored and displayed form of a device's key: twelve upper-case hex digits in pairs, `A4:1C:09:7E:33:0B`. */
export const bssidPattern = /^[0-9A-F]{2}(:[0-9A-F]{2}){5}$/

/**
 * Returns a bssid in its stored form, from any common spelling (no separators, dashes, lower case). Other text is only
 * trimmed.
 */
export function normaliseBssid(text: string): string {
  // Most are in it already, and a job may name 100,000.
  if (bssidPattern.test(text)) return text
  const digits = text.trim().replace(/[:\-.\s]/g, '')
  return /^[0-9a-f]{12}$/i.test(digits) ? digits.toUpperCase().replace(/..(?=.)/g, '$&:') : text.trim()
}

/**
 * Returns the possible stored forms of a part of a bssid typed without colons: `30AE` is `30:AE`, or within a key also
 * `3:0A:E`. Fewer than three digits, and any other text, are returned as typed.
 */
export function bssidParts(part: string, where: 'start' | 'end' | 'within'): readonly string[] {
  const typed = part.trim().replaceAll('-', ':')
  const digits = typed.replace(/[.\s]/g, '')
  if (!/^[0-9a-f]{3,}$/i.test(digits)) return [typed]
  const fromStart = digits.replace(/..(?=.)/g, '$&:')
  if (where === 'start') return [fromStart]
  if (where === 'end') return [digits.replace(/.(?=(..)+$)/g, '$&:')]
  return [fromStart, digits.replace(/(?<=^(..)*.)(?=.)/g, ':')]
}
