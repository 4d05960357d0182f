/** Devices by a few characters of what a person knows of them. */
import { call } from './client.ts'
import { devices, type Device } from './contract/devices.ts'

const most = 8

/** Devices whose id or, failing that, description or company contains the text; at most eight. */
export async function findDevices(text: string, signal: AbortSignal): Promise<readonly Device[]> {
  const search = text.trim()
  if (search === '') return []
  const looksLikeId = /^[0-9a-f:.-]+$/i.test(search)
  const columns = looksLikeId ? ['bssid', 'description'] : ['description', 'company_name']
  const found = await Promise.all(
    columns.map(column => call(devices.list, { query: { search, column, operator: 'co', limit: most }, signal })),
  )
  return [...new Map(found.flatMap(list => list.data).map(device => [device.bssid, device])).values()].slice(0, most)
}
