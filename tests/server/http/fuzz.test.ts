/**
 * Malformed and hostile input, generated from the contract, for every endpoint: never a 5xx (except 501 for one without
 * a handler), and never a changed row unless the call succeeded. FUZZ_RUNS and FUZZ_SEED set the runs and the seed.
 */
import { notInArray } from 'drizzle-orm'
import fc from 'fast-check'
import type { InjectOptions } from 'fastify'
import { beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import type { Endpoint } from '../../../src/api/contract/endpoint.ts'
import { endpoints } from '../../../src/api/contract/all/endpoints.ts'
import { jobCommands, jobs } from '../../../src/api/contract/jobs.ts'
import { roles, type Role } from '../../../src/domain/roles.ts'
import { startSession } from '../../../server/auth/sessions.ts'
import { accounts } from '../../../server/db/schema/accounts.ts'
import { devices } from '../../../server/db/schema/devices.ts'
import { events } from '../../../server/db/schema/events.ts'
import { cartridgeTypes, filtrationSystemGroups, filtrationSystems } from '../../../server/db/schema/filtration.ts'
import { deviceModels } from '../../../server/db/schema/models.ts'
import { startServer } from '../support/harness.ts'
import { hostileRequests } from '../../support/hostile/requests.ts'
import { isFailure } from '../../support/hostile/values.ts'
import { checksum } from '../support/database/rows.ts'
import { answerOf } from '../support/contract/sample.ts'

const { app, db, clock } = await startServer()
const numRuns = Number(process.env.FUZZ_RUNS ?? 25)
const seed = Number(process.env.FUZZ_SEED ?? 20_260_101)

const tokens = new Map<Role, string>()
/** Existing ids, except those of the callers, whose deletion would end their sessions. */
const existingIds = [
  ...(await db.select({ id: devices.bssid }).from(devices).limit(40)),
  ...(await db
    .select({ id: accounts.id })
    .from(accounts)
    .where(notInArray(accounts.login, [...roles]))),
  ...(await db.select({ id: deviceModels.id }).from(deviceModels)),
  ...(await db.select({ id: filtrationSystems.id }).from(filtrationSystems)),
  ...(await db.select({ id: filtrationSystemGroups.id }).from(filtrationSystemGroups)),
  ...(await db.select({ id: cartridgeTypes.id }).from(cartridgeTypes)),
  ...(await db.select({ id: events.id }).from(events)),
].map(({ id }) => id)

beforeAll(async () => {
  for (const account of await db.select().from(accounts))
    for (const role of roles)
      if (account.login === role)
        tokens.set(role, (await startSession(db, { id: account.id, role }, clock.now())).access_token)
})

const isPreviewed = ({ url }: InjectOptions) => typeof url === 'string' && url.endsWith('?preview=true')

/** Sends a request and checks its effect; `before` is updated with the changes of successful calls. */
async function expectHarmless(endpoint: Endpoint, request: InjectOptions, before: { rows: string }): Promise<void> {
  const { statusCode, body } = await answerOf(app, endpoint, request)
  expect(statusCode === 501 || statusCode < 500, `${statusCode} ${body}`).toBe(true)
  expect(statusCode < 400 || isFailure(JSON.parse(body)), `${statusCode} ${body}`).toBe(true)
  // GET requests are checked once at the end. Others may change rows only if they succeed and are no preview.
  if (request.method === 'GET') return
  const after = await checksum(db)
  if (statusCode < 300 && !isPreviewed(request)) before.rows = after
  expect(after).toBe(before.rows)
}

describe('hostile input', () => {
  // Signing out would leave the rest of the calls without a session.
  const fuzzed = endpoints.filter(({ path }) => !path.endsWith('/logout'))

  test.each(fuzzed.map(endpoint => [`${endpoint.method} ${endpoint.path}`, endpoint] as const))(
    '%s',
    async (_, endpoint) => {
      const before = { rows: await checksum(db) }
      await fc.assert(
        fc.asyncProperty(hostileRequests(endpoint, { ids: existingIds, tokens }), async request => {
          await expectHarmless(endpoint, request, before)
        }),
        { numRuns, seed, endOnFailure: true },
      )
      expect(await checksum(db)).toBe(before.rows)
    },
  )

  test.each(Object.entries(jobCommands))('a job that makes the calls of %s', async (command, { body }) => {
    const { ids, policy } = jobs.create.body.shape
    const input = z.omit(body as z.ZodMiniObject, { ids: true })
    const job = { ...jobs.create, body: z.strictObject({ command: z.literal(command), input, ids, policy }) }
    const before = { rows: await checksum(db) }
    await fc.assert(
      fc.asyncProperty(hostileRequests(job, { ids: existingIds, tokens }), async request => {
        await expectHarmless(jobs.create, request, before)
      }),
      { numRuns, seed, endOnFailure: true },
    )
  })
})
