/** A mocked server that lists a few devices, for tests of selections. */
import { vi } from 'vitest'
import type { ListQuery } from '../../../src/api/contract/endpoint.ts'
import * as readList from '../../../src/api/readList.ts'
import { statuses, type StatusCode } from '../../../src/domain/device.ts'
import type { Entity } from '../../../src/store/lists.ts'

export interface FleetDevice {
  readonly bssid: string
  readonly status: StatusCode
  readonly vendor: { readonly _id: string; readonly company_name: string }
  readonly model: { readonly _id: string; readonly name: string }
  readonly platform: string
}

export const bssidOf = (at: number): string =>
  `A4:1C:09:00:${at.toString(16).toUpperCase().padStart(4, '0').replace(/../, '$&:')}`

export const fleetDevice = (at: number, of: Partial<FleetDevice> = {}): FleetDevice => ({
  bssid: bssidOf(at),
  status: 0,
  vendor: { _id: 'v1', company_name: 'Clearspring' },
  model: { _id: 'm1', name: 'RO-400' },
  platform: 'esp32',
  ...of,
})

const valueOf: Record<string, (device: FleetDevice) => string> = {
  bssid: device => device.bssid,
  status: device => statuses[device.status].label,
  company_name: device => device.vendor.company_name,
  model: device => device.model.name,
}

/**
 * Mocks `readList`: lists `fleet` sorted by key, as the server would, and `others` as given.
 * Returns the array to which each request is added.
 */
export function serveFleet(
  fleet: () => readonly FleetDevice[],
  others: Partial<Record<Entity, readonly unknown[]>> = {},
): { entity: Entity; query: ListQuery }[] {
  const requests: { entity: Entity; query: ListQuery }[] = []
  vi.spyOn(readList, 'readList').mockImplementation((entity, query, signal) => {
    requests.push({ entity, query })
    signal?.throwIfAborted()
    const offset = Number(query.offset ?? 0)
    const limit = Number(query.limit ?? 20)
    const search = query.search ?? ''
    const value = valueOf[query.column ?? 'bssid']!
    const all =
      entity === 'devices'
        ? fleet()
            .filter(device => {
              if (search === '') return true
              if (query.operator === 'ge') return value(device) >= search
              if (query.operator === 'eq') return value(device) === search
              return value(device).includes(search)
            })
            .toSorted((a, b) => (a.bssid < b.bssid ? -1 : 1))
        : (others[entity] ?? [])
    return Promise.resolve({ count: all.length, data: all.slice(offset, offset + limit) } as never)
  })
  return requests
}
