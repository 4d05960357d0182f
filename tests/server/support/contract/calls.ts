/** Calls of any endpoint of the contract, by an account of each role. */
import { eq } from 'drizzle-orm'
import type { LightMyRequestResponse } from 'fastify'
import { expect } from 'vitest'
import * as z from 'zod/mini'
import { BulkResponse, PreviewQuery, type Endpoint } from '../../../../src/api/contract/endpoint.ts'
import { jobs } from '../../../../src/api/contract/jobs.ts'
import { models } from '../../../../src/api/contract/models.ts'
import { roles, type Role } from '../../../../src/domain/roles.ts'
import { startSession } from '../../../../server/auth/sessions.ts'
import { newId } from '../../../../server/db/id.ts'
import { accounts } from '../../../../server/db/schema/accounts.ts'
import { filtrationSystems } from '../../../../server/db/schema/filtration.ts'
import { deviceModelVendors } from '../../../../server/db/schema/models.ts'
import { handlers } from '../../../../server/web/handlers.ts'
import { fieldsOf, inputSchema } from '../../../../cli/inputSchema.ts'
import type { TestServer } from '../harness.ts'
import { sample, sampleRequest, type Chosen } from './sample.ts'
import { firstDevice } from '../subjects.ts'

/** An id that no row has. */
export const absent = '00:00:00:00:00:00'

/** The endpoints with a handler that need a session, with their names. */
export const guarded = handlers
  .filter(({ endpoint }) => endpoint.roles !== 'public')
  .map(({ endpoint }) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const)
export const takesOne = ({ path }: Endpoint): boolean => path.includes('{')
export const takesMany = ({ response }: Endpoint): boolean => response === BulkResponse
export const isBulk = ({ query }: Endpoint): boolean => query === PreviewQuery

/** Optional fields that are sent only if a test chooses them: with them a call is another one. */
const exclusive: ReadonlyMap<Endpoint, readonly string[]> = new Map<Endpoint, readonly string[]>([
  [models.save, ['_id']],
  [jobs.create, ['search', 'continuous', 'until']],
])

/** Returns the data of a response, after checking it against the contract. */
export function dataOf(endpoint: Endpoint, answer: LightMyRequestResponse): unknown {
  const { data } = answer.json<{ data: unknown }>()
  expect(z.safeParse(endpoint.response as z.ZodMiniType, data).error?.issues).toBeUndefined()
  return data
}

interface Account {
  readonly id: string
  readonly role: Role
}

export async function contractCalls({ app, db, clock }: Pick<TestServer, 'app' | 'db' | 'clock'>) {
  const idOf = async (login: string) => (await db.select().from(accounts).where(eq(accounts.login, login)))[0]!.id
  const callers = Object.fromEntries(
    await Promise.all(roles.map(async role => [role, { id: await idOf(role), role }] as const)),
  ) as Record<Role, Account>
  const vendor = callers.vendor.id
  const [system] = await db.select().from(filtrationSystems).where(eq(filtrationSystems.vendor_id, vendor)).limit(1)
  const [model] = await db.select().from(deviceModelVendors).where(eq(deviceModelVendors.vendor_id, vendor)).limit(1)
  /** Values of fields that refer to other rows than the subject. */
  const references = {
    model: model!.model_id,
    filtration_system: system!.id,
    group: system!.group_id,
    vendor,
    vendors: [vendor],
    time_zone: 'Europe/Berlin',
  }

  const tokenOf = async (account: Account) => (await startSession(db, account, clock.now())).access_token

  /** Sends a valid call, by default in a new session, because logout ends its own. */
  async function send(endpoint: Endpoint, caller: Role | undefined, chosen: Chosen = {}) {
    const account = caller && callers[caller]
    const token = chosen.token ?? (account && (await tokenOf(account)))
    // All fields are sent, including optional ones, so that a call that is wrongly accepted changes something.
    const all = fieldsOf(inputSchema(endpoint.body)).filter(
      ([name]) => !exclusive.get(endpoint)?.includes(name) || name in (chosen.body ?? {}),
    )
    // The current devices, because some calls delete them.
    const device = await firstDevice(db, vendor)
    const given: Record<string, unknown> = {
      ...references,
      login: `${newId()}@example.com`,
      devices: [device],
      ...chosen.body,
    }
    const body = Object.fromEntries(all.map(([name, field]) => [name, given[name] ?? sample(field)]))
    // The other parameter of a path that names a part of the subject: the device of a job's task.
    const part: Record<string, string> = /\{id\}.*\{bssid\}/.test(endpoint.path) ? { bssid: device } : {}
    return app.inject(sampleRequest(endpoint, { ...chosen, params: { ...part, ...chosen.params }, token, body }))
  }
  return { callers, vendor, tokenOf, send }
}
