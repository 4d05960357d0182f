/** Searches devices by id, description and company. */
import { normaliseBssid } from '../domain/bssid.ts'
import type { Device } from './contract/devices.ts'
import { readList, shownQuery } from './readList.ts'

const maxResults = 8

/** Returns at most eight devices whose id, description or company contains the text. */
export async function findDevices(text: string, signal: AbortSignal): Promise<readonly Device[]> {
  const search = text.trim()
  if (search === '') return []
  // A word such as `cafe` can be part of an id or of a name.
  const asId = /^[0-9a-f:.-]+$/i.test(search)
  const asName = !/[:\d]/.test(search) || !asId
  const searches = [
    ...(asId ? [{ column: 'bssid', search: idPart(search) }] : []),
    { column: 'description', search },
    ...(asName ? [{ column: 'company_name', search }] : []),
  ]
  const lists = await Promise.all(
    searches.map(by => readList('devices', shownQuery({ ...by, operator: 'co', limit: maxResults }), signal)),
  )
  return [...new Map(lists.flatMap(list => list.data).map(device => [device.bssid, device])).values()].slice(
    0,
    maxResults,
  )
}

/** Returns part of an id in its stored form: `A4:1C` for `a41c` and `a4-1c`. Other text stays unchanged. */
export function idPart(text: string): string {
  const digits = text.replace(/[-.]/g, ':')
  return /^[0-9a-f]{3,}$/i.test(digits) ? digits.replace(/..(?=.)/g, '$&:') : normaliseBssid(digits)
}
