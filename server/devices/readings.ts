import type { Point } from '../../src/api/contract/devices.ts'
import type * as z from 'zod/mini'

export type Reading = Omit<z.input<typeof Point>, 'at'>

/**
 * What a device read in each bucket, by the bucket's begin (milliseconds UTC); a bucket in which it read nothing is
 * absent. Readings are not kept yet, so none is ever found.
 */
export async function readingsOf(_bssid: string, _edges: readonly number[]): Promise<ReadonlyMap<number, Reading>> {
  return new Map()
}
