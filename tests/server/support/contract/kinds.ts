/** The kinds of rows that calls name by their ids, found in the contract, with rows that a caller may use and may not. */
import { and, asc, eq, ne } from 'drizzle-orm'
import { apiKeys } from '../../../../src/api/contract/apiKeys.ts'
import type { Endpoint } from '../../../../src/api/contract/endpoint.ts'
import type { Role } from '../../../../src/domain/roles.ts'
import { fieldsOf, inputSchema } from '../../../../cli/inputSchema.ts'
import type { Database } from '../../../../server/db/database.ts'
import { newId } from '../../../../server/db/id.ts'
import { accounts } from '../../../../server/db/schema/accounts.ts'
import { devices } from '../../../../server/db/schema/devices.ts'
import { cartridgeTypes, filtrationSystemGroups, filtrationSystems } from '../../../../server/db/schema/filtration.ts'
import { deviceModels } from '../../../../server/db/schema/models.ts'
import { incidents, notifications } from '../../../../server/db/schema/notifications.ts'
import { firstDevice, newAccount, newEvent, newFinding, newJob, newKey, newPasskey, newSession } from '../subjects.ts'

interface Kind {
  /**
   * Who may use a row: its vendor and administrators, only its account, or everybody who may make the call. A row of a
   * `sort` may be used by everybody, and the calls are only for that sort of rows, as of accounts.
   */
  readonly of: 'vendor' | 'account' | 'all' | 'sort'
  /** Returns a row of a vendor or an account. */
  readonly create: (db: Database, owner: string) => Promise<string>
  /** Returns a row of another sort. */
  readonly wrong?: Kind['create']
}

const times = () => ({ created_at: new Date(), updated_at: new Date() })
const anyOf = (table: typeof cartridgeTypes | typeof filtrationSystemGroups) => async (db: Database) => {
  const [row] = await db.select({ id: table.id }).from(table).limit(1)
  return row!.id
}

const kinds = {
  device: { of: 'vendor', create: firstDevice },
  event: {
    of: 'vendor',
    async create(db, vendor) {
      const at = new Date()
      return newEvent(db, [await firstDevice(db, vendor)], { starts_at: at, ends_at: at })
    },
  },
  job: { of: 'vendor', create: newJob },
  finding: { of: 'vendor', create: (db, vendor) => newFinding(db, vendor) },
  model: {
    of: 'vendor',
    async create(db, owner_id) {
      const id = newId()
      const model = {
        id,
        owner_id,
        platform: 'scope',
        name: `Scope ${id}`,
        capabilities: [],
        bypass_flow_rates: [1, 1, 1, 1],
      }
      await db.insert(deviceModels).values({ ...model, ...times() })
      return id
    },
  },
  system: {
    of: 'vendor',
    async create(db, vendor) {
      const [row] = await db.select().from(filtrationSystems).where(eq(filtrationSystems.vendor_id, vendor)).limit(1)
      const id = newId()
      await db.insert(filtrationSystems).values({ ...row!, id, model: `Scope ${id}` })
      return id
    },
  },
  incident: {
    of: 'vendor',
    async create(db, vendor_id) {
      const id = newId()
      const at = new Date()
      await db.insert(incidents).values({ id, vendor_id, type: 'leak', began_at: at, last_at: at })
      const bssid = await firstDevice(db, vendor_id)
      const notification = { id: newId(), bssid, vendor_id, type: 'leak', created_at: at, incident_id: id } as const
      await db.insert(notifications).values(notification)
      return id
    },
  },
  session: { of: 'account', create: newSession },
  passkey: { of: 'account', create: newPasskey },
  key: { of: 'account', create: newKey },
  admin: { of: 'sort', create: db => newAccount(db, 'admin'), wrong: db => newAccount(db, 'vendor') },
  vendor: { of: 'sort', create: db => newAccount(db, 'vendor'), wrong: db => newAccount(db, 'admin') },
  user: { of: 'sort', create: db => newAccount(db, 'user'), wrong: db => newAccount(db, 'vendor') },
  /** The vendors to whom a model is offered: a vendor offers it to itself. */
  offer: { of: 'vendor', create: async (_, vendor) => vendor, wrong: db => newAccount(db, 'admin') },
  cartridgeType: { of: 'all', create: anyOf(cartridgeTypes) },
  group: { of: 'all', create: anyOf(filtrationSystemGroups) },
} satisfies Readonly<Record<string, Kind>>
export type KindName = keyof typeof kinds

/** Fields that only these roles may send; the others get one refusal, whatever they name. */
const fieldRoles: ReadonlyMap<Endpoint, Readonly<Record<string, readonly Role[]>>> = new Map([
  [apiKeys.create, { vendor: ['admin'] }],
])
export const maySend = (endpoint: Endpoint, field: string, role: Role): boolean =>
  fieldRoles.get(endpoint)?.[field]?.includes(role) ?? true

/** The kind of the id after a segment of a path, and of the `ids` of a call under it. */
const bySegment: Readonly<Record<string, KindName>> = {
  admins: 'admin',
  vendors: 'vendor',
  users: 'user',
  sessions: 'session',
  passkeys: 'passkey',
  keys: 'key',
  devices: 'device',
  models: 'model',
  jobs: 'job',
  tasks: 'device',
  events: 'event',
  findings: 'finding',
  'cartridge-types': 'cartridgeType',
  'filtration-systems': 'system',
  'filtration-system-groups': 'group',
}

/** The kind of the row that a field of a body or a query names. */
const byField: Readonly<Record<string, KindName>> = {
  devices: 'device',
  model: 'model',
  filtration_system: 'system',
  vendor: 'vendor',
  vendors: 'vendor',
  group: 'group',
  cartridges: 'cartridgeType',
  incident: 'incident',
}

/** The same where one resource has a field of its own. */
const byFieldOf: Readonly<Record<string, Readonly<Record<string, KindName>>>> = {
  models: { _id: 'model', vendors: 'offer' },
  jobs: { ids: 'device' },
}

/** Fields that name no row, by their names. */
const plain = new Set(
  (
    'offset limit search column operator sort direction count preview first_row range until zone in_device_zone from to after by ' +
    'collapse types login first_name last_name company_name company_address description password current_password code ' +
    'credential name scope days type resource ttl purchase_url image_url title start end status platform capabilities ' +
    'bypass_flow_rates version time_zone water_supply water valve_closed locked smart mode frequency duration volume state ' +
    'reason verdict cause note flushing flush command input policy continuous'
  ).split(' '),
)

/** Fields that are no ids in one resource, and are in another. */
const plainIn: Readonly<Record<string, readonly string[]>> = {
  // The name of a cartridge or a filtration system.
  model: ['cartridge-types', 'filtration-systems'],
}

/** What an endpoint names: the parameters of its path, and the fields of its query and body, with their kinds. */
export interface Named {
  readonly path: ReadonlyMap<string, KindName>
  readonly query: ReadonlyMap<string, KindName>
  readonly body: ReadonlyMap<string, KindName>
}

/** Returns what an endpoint names. Throws for a field that is neither known to name a row nor to name none. */
export function namedBy(endpoint: Endpoint): Named {
  const segments = endpoint.path.split('/').slice(3)
  const path = segments.flatMap((segment, at) => {
    const name = /^\{(\w+)\}$/.exec(segment)?.[1]
    if (name === undefined) return []
    return [[name, known(bySegment[segments[at - 1]!], endpoint, segment)] as const]
  })
  const ofFields = (schema: Endpoint['body']) =>
    fieldsOf(inputSchema(schema)).flatMap(([name]) => {
      if (plain.has(name) || plainIn[name]?.includes(segments[0]!)) return []
      const segment = segments.findLast(one => one in bySegment) ?? ''
      const kind = byFieldOf[segment]?.[name] ?? (name === 'ids' ? bySegment[segment] : byField[name])
      return [[name, known(kind, endpoint, name)] as const]
    })
  return { path: new Map(path), query: new Map(ofFields(endpoint.query)), body: new Map(ofFields(endpoint.body)) }
}

function known(kind: KindName | undefined, { method, path }: Endpoint, name: string): KindName {
  if (kind !== undefined) return kind
  throw new Error(`${method} ${path}: say in tests/server/support/contract/kinds.ts what ${name} names`)
}

/** Returns a row that an account may use: its own, or one of this vendor. */
export const ownRow = (db: Database, name: KindName, vendor: string, account: string): Promise<string> =>
  kinds[name].create(db, kinds[name].of === 'account' ? account : vendor)

/** Returns a row that an endpoint acts on, and that an account may use: by default a device of this vendor. */
export function subjectOf(db: Database, endpoint: Endpoint, vendor: string, account = vendor): Promise<string> {
  const { path, body } = namedBy(endpoint)
  return ownRow(db, [...path.values()][0] ?? body.get('ids') ?? 'device', vendor, account)
}

/** Whether there are rows of a kind that callers of a role may not use. */
export function hasForeign(name: KindName, role: Role): boolean {
  const { of, wrong }: Kind = kinds[name]
  return of === 'account' || wrong !== undefined || (of === 'vendor' && role === 'vendor')
}

/** Returns a row that exists and that callers of a role may not use, if there are such rows. */
export function foreignRow(db: Database, name: KindName, role: Role, otherVendor: string): Promise<string> {
  const { of, create, wrong = create }: Kind = kinds[name]
  return of === 'vendor' && role === 'vendor' ? create(db, otherVendor) : wrong(db, otherVendor)
}

/** Returns the id of another vendor than this one, which has devices. */
export async function otherVendorThan(db: Database, vendor: string): Promise<string> {
  const isOther = and(eq(accounts.role, 'vendor'), ne(accounts.id, vendor))
  const rows = await db
    .select({ id: accounts.id })
    .from(accounts)
    .innerJoin(devices, eq(devices.vendor_id, accounts.id))
    .where(isOther)
    .orderBy(asc(accounts.login))
    .limit(1)
  return rows[0]!.id
}
