/** Devices by a few characters of what a person knows of them. */
import { normaliseBssid } from '../domain/bssid.ts'
import { call } from './client.ts'
import { devices, type Device } from './contract/devices.ts'

const maxResults = 8

/** Devices whose id, description or company contains the text; at most eight. */
export async function findDevices(text: string, signal: AbortSignal): Promise<readonly Device[]> {
  const search = text.trim()
  if (search === '') return []
  // A word such as `cafe` may be a part of an id as well as of a name.
  const asId = /^[0-9a-f:.-]+$/i.test(search)
  const asName = !/[:\d]/.test(search) || !asId
  const searches = [
    ...(asId ? [{ column: 'bssid', search: idPart(search) }] : []),
    { column: 'description', search },
    ...(asName ? [{ column: 'company_name', search }] : []),
  ]
  const found = await Promise.all(
    searches.map(by => call(devices.list, { query: { ...by, operator: 'co', limit: maxResults }, signal })),
  )
  return [...new Map(found.flatMap(list => list.data).map(device => [device.bssid, device])).values()].slice(
    0,
    maxResults,
  )
}

/** A part of an id as it is stored: `a41c` and `a4-1c` are `A4:1C`; a part with other separators stays as it is. */
export function idPart(text: string): string {
  const digits = text.replace(/[-.]/g, ':')
  return /^[0-9a-f]{3,}$/i.test(digits) ? digits.replace(/..(?=.)/g, '$&:') : normaliseBssid(digits)
}
