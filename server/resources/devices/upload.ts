/** Endpoint for uploading devices. */
import { asc, eq, sql } from 'drizzle-orm'
import { devices as contract } from '../../../src/api/contract/devices.ts'
import { Bssid, optionalText, text, WaterSupply } from '../../../src/api/contract/fields.ts'
import { deviceUpload } from '../../../src/domain/uploads.ts'
import { anyOf } from '../../db/anyOf.ts'
import { nameKeys } from '../../db/caseFold.ts'
import type { Database } from '../../db/database.ts'
import { withRetry } from '../../db/retry.ts'
import { accounts, caseless } from '../../db/schema/accounts.ts'
import { devices } from '../../db/schema/devices.ts'
import { filtrationSystems } from '../../db/schema/filtration.ts'
import { deviceModels, deviceModelVendors } from '../../db/schema/models.ts'
import { createCredentials } from '../../devices/gateway/credentials.ts'
import { vacuumDevices } from '../../devices/vacuumDevices.ts'
import { mapInSlices } from '../../core/batches.ts'
import { cell } from '../../files/cells.ts'
import { readSheet } from '../../files/readSheet.ts'
import { collectProblems, parseTable, type Problems, type TableRow } from '../../files/table.ts'
import { handler, isPreview, type Caller } from '../../endpoints/handler.ts'
import { storeDevices, type NewDevice } from './store.ts'

/** Number of new devices from which planner statistics are updated. */
const vacuumThreshold = 1000

const fields = { bssid: Bssid, platform: text(60), description: optionalText(500), water_supply: WaterSupply }

/** Existing rows that an upload refers to, by name key. */
interface References {
  readonly nameKeyOf: (name: string) => string
  readonly vendors: ReadonlyMap<string, string>
  /** Model ids by vendor and name. */
  readonly models: ReadonlyMap<string, string>
  readonly modelNames: ReadonlySet<string>
  readonly systems: ReadonlyMap<string, { id: string; vendor: string | null }>
  readonly existing: ReadonlySet<string>
}

export const upload = handler(
  contract.upload,
  async ({ file, query, caller, auditCreated, affectedVendors, services: { db, background, now } }) => {
    const role = caller.role === 'vendor' ? 'vendor' : 'admin'
    const problems = collectProblems()
    const rows = await parseTable(readSheet(file), deviceUpload[role], problems, {
      refused: role === 'vendor' ? 'vendor' : undefined,
      firstRow: query.first_row,
    })
    const check = async (tx: Database) => {
      const rowsToStore = await newDevices(rows, await loadReferences(tx, rows), caller, problems)
      problems.throwIfAny()
      return rowsToStore
    }
    // Hashing takes seconds, so it is done before locking, once the file has passed a first check. What the check returns
    // is not kept meanwhile, because the check in the transaction returns it again.
    const checked = await check(db)
    if (isPreview({ query })) return { created: checked.length, credentials: [] }
    const credentials = await createCredentials(checked.map(({ bssid }) => bssid))
    const vendors = await withRetry(() =>
      db.transaction(async tx => {
        await lockReferencedRows(tx)
        const rowsToStore = await check(tx)
        await storeDevices(tx, rowsToStore, credentials, now())
        return new Set(rowsToStore.map(({ vendor_id }) => vendor_id))
      }),
    )
    auditCreated(credentials.map(({ bssid }) => bssid))
    affectedVendors([...vendors])
    // After the response: the devices are stored, and a failure must not lose their secrets.
    if (rows.length >= vacuumThreshold)
      background.defer('Could not update the planner statistics of devices', () => vacuumDevices(db))
    // Secrets are returned only once; neither the audit log nor the request log stores responses.
    return { created: rows.length, credentials: credentials.map(({ bssid, secret }) => ({ bssid, secret })) }
  },
)

/**
 * Locks vendors, models and filtration systems against deletion and reassignment. Locks vendors first and rows in the
 * order of their ids, as all other transactions do, to avoid deadlocks.
 */
async function lockReferencedRows(tx: Database): Promise<void> {
  const vendors = tx.select({ id: accounts.id }).from(accounts).where(eq(accounts.role, 'vendor'))
  await vendors.orderBy(asc(accounts.id)).for('key share')
  await tx.select({ id: deviceModels.id }).from(deviceModels).orderBy(asc(deviceModels.id)).for('share')
  await tx.select({ id: filtrationSystems.id }).from(filtrationSystems).orderBy(asc(filtrationSystems.id)).for('share')
}

async function loadReferences(db: Database, rows: readonly TableRow[]): Promise<References> {
  const nameKeyOf = await nameKeys(
    db,
    rows.flatMap(({ cells }) => [cells.vendor ?? '', cells.model ?? '', cells.filtration_system ?? '']),
  )
  const vendors = await db
    .select({ id: accounts.id, login: sql<string>`${caseless(accounts.login)}` })
    .from(accounts)
    .where(eq(accounts.role, 'vendor'))
  const models = await db
    .select({
      id: deviceModels.id,
      name: deviceModels.name_key,
      owner: deviceModels.owner_id,
      vendor: deviceModelVendors.vendor_id,
    })
    .from(deviceModels)
    .leftJoin(deviceModelVendors, eq(deviceModelVendors.model_id, deviceModels.id))
    .orderBy(asc(deviceModels.created_at), asc(deviceModels.id))
  const systems = await db
    .select({ id: filtrationSystems.id, model: filtrationSystems.model_key, vendor: filtrationSystems.vendor_id })
    .from(filtrationSystems)
  const keys = await mapInSlices(rows, row => Bssid.safeParse(row.cells.bssid).data ?? '')
  const existing = await db.select({ bssid: devices.bssid }).from(devices).where(anyOf(devices.bssid, keys))
  // A name refers to the vendor's oldest model of that name, so newer ones are set first and overwritten.
  const byVendor = models
    .toReversed()
    .flatMap(({ id, name, owner, vendor }) =>
      [owner, vendor].flatMap((account): [string, string][] => (account === null ? [] : [[pair(account, name), id]])),
    )
  return {
    nameKeyOf,
    vendors: new Map(vendors.map(({ login, id }) => [login, id])),
    models: new Map(byVendor),
    modelNames: new Set(models.map(model => model.name)),
    systems: new Map(systems.map(({ model, id, vendor }) => [model, { id, vendor }])),
    existing: new Set(existing.map(device => device.bssid)),
  }
}
const pair = (vendor: string, name: string) => `${vendor} ${name}`

async function newDevices(
  rows: readonly TableRow[],
  references: References,
  caller: Caller,
  problems: Problems,
): Promise<NewDevice[]> {
  const firstRows = new Map<string, number>()
  return mapInSlices(rows, row => {
    const { bssid, platform, description, water_supply } = readFields(row, problems)
    const vendor = caller.vendor ?? vendorOf(row, references, problems)
    const first = firstRows.get(bssid)
    if (first !== undefined) problems.add(row, `bssid ${bssid} is already in row ${first}`)
    else if (references.existing.has(bssid)) problems.add(row, `bssid ${bssid} already exists`)
    if (bssid !== '' && first === undefined) firstRows.set(bssid, row.number)
    return {
      bssid,
      platform,
      description,
      water_supply: water_supply || null,
      vendor_id: vendor ?? '',
      model_id: modelOf(row, vendor, references, problems) ?? '',
      filtration_system_id: systemOf(row, vendor, references, problems) ?? null,
    }
  })
}

/** Returns the row's own texts; empty if they are missing or invalid, in which case a problem is added. */
function readFields(row: TableRow, problems: Problems): Record<keyof typeof fields, string> {
  const read = (name: keyof typeof fields) => cell(row, name, fields[name], problems) ?? ''
  return {
    bssid: read('bssid'),
    platform: read('platform'),
    description: read('description'),
    water_supply: read('water_supply'),
  }
}

function vendorOf(row: TableRow, { vendors, nameKeyOf }: References, problems: Problems): string | undefined {
  const login = row.cells.vendor ?? ''
  const id = vendors.get(nameKeyOf(login))
  if (id === undefined && login !== '') problems.add(row, `vendor ${login} not found`)
  return id
}

/** Returns the model's id. For vendors, a model that is not offered to them counts as not found. */
function modelOf(
  row: TableRow,
  vendor: string | undefined,
  references: References,
  problems: Problems,
): string | undefined {
  const name = row.cells.model ?? ''
  if (name === '' || vendor === undefined) return undefined
  const key = references.nameKeyOf(name)
  const id = references.models.get(pair(vendor, key))
  if (id !== undefined) return id
  const hidden = row.cells.vendor !== undefined && references.modelNames.has(key)
  problems.add(row, hidden ? `model ${name} is not offered to vendor ${row.cells.vendor}` : `model ${name} not found`)
  return undefined
}

function systemOf(
  row: TableRow,
  vendor: string | undefined,
  { systems, nameKeyOf }: References,
  problems: Problems,
): string | undefined {
  const model = row.cells.filtration_system ?? ''
  if (model === '' || vendor === undefined) return undefined
  const system = systems.get(nameKeyOf(model))
  if (system?.vendor === vendor) return system.id
  const hidden = row.cells.vendor !== undefined && system !== undefined
  problems.add(
    row,
    hidden
      ? `filtration_system ${model} is not assigned to vendor ${row.cells.vendor}`
      : `filtration_system ${model} not found`,
  )
  return undefined
}
