/** Devices with findings, as if their readings had told of them. */
import { callerFor, newDevices } from './api.ts'
import type { Course } from '../../server/support/health/healthSamples.ts'
import { storeHealth } from './deviceHealth.ts'
import type { WorkerServer } from './fixtures.ts'

const days = 100

/** Courses of days that lead to a finding. */
export const courses = {
  fouling: day => ({ a: day < 60 ? 0 : -0.006 * (day - 60) }),
  restrictor: day => ({ r: day < 70 ? 0 : -0.012 * (day - 70) }),
} as const satisfies Readonly<Record<string, Course>>

/** Creates devices of the vendor `vendor`, each with an open finding, and returns their ids. */
export async function newFindings(
  server: WorkerServer,
  count: number,
  course: keyof typeof courses = 'restrictor',
): Promise<string[]> {
  const ids = await newDevices(await callerFor(server.url, 'admin'), count)
  await storeHealth(server.databaseUrl, days, Object.fromEntries(ids.map(id => [id, courses[course]])))
  return ids
}
