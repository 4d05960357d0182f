/** Fills an empty database with the demo: accounts, models, filtration systems and a fleet, derived from a seed. */
import { eq, getTableName, isNotNull, sql } from 'drizzle-orm'
import { hashPassword } from '../auth/passwords.ts'
import { insertMany, largeTable, withoutIndexes } from '../db/bulk.ts'
import type { Database } from '../db/database.ts'
import { accounts } from '../db/schema/accounts.ts'
import { deviceCartridges, devices } from '../db/schema/devices.ts'
import { deviceValues } from '../db/schema/deviceValues.ts'
import { eventDevices, events } from '../db/schema/events.ts'
import {
  cartridgeTypes,
  filtrationSystemCartridges,
  filtrationSystemGroups,
  filtrationSystems,
} from '../db/schema/filtration.ts'
import { deviceModels, deviceModelVendors, firmwareVersions } from '../db/schema/models.ts'
import { deviceAlarms, notifications } from '../db/schema/notifications.ts'
import { supplyWaters } from '../db/schema/supplies.ts'
import { storeValues } from '../devices/storeValues.ts'
import { vacuumDevices } from '../devices/vacuumDevices.ts'
import { hasDemo } from './accounts.ts'
import { cartridges, companies, demoPassword, firmware, groups, models, people, systems } from './catalogue.ts'
import { demoDevice } from './device.ts'
import { demoEvents } from './events.ts'
import { demoNotifications } from './notifications.ts'
import { demoId } from './random.ts'
import { demoAnalysis } from './supplies.ts'
import { msPerDay } from '../../src/domain/time.ts'

export interface DemoOptions {
  /** Number of devices. */
  readonly fleet: number
  readonly seed?: number
  readonly now?: Date
}

/** Creates the demo unless it is there. Returns whether it was created. @throws ConfigError on a database of an installation */
export async function seedDemo(db: Database, { fleet, seed = 1, now = new Date() }: DemoOptions): Promise<boolean> {
  if (await hasDemo(db)) return false
  const passwordHash = await hashPassword(demoPassword)
  await db.transaction(async tx => {
    await insertMany(tx, accounts, demoAccounts(passwordHash, now), sql`on conflict do nothing`)
    await seedCatalogue(tx, now)
    const insertFleet = () => seedFleet(tx, fleet, seed, now)
    const insertLargeFleet = [devices, deviceValues, notifications].reduce(
      (insert, table) => () => withoutIndexes(tx, getTableName(table), insert),
      insertFleet,
    )
    await (fleet < largeTable ? insertFleet() : insertLargeFleet())
    await seedAnalyses(tx, seed, now)
    const generatedEvents = demoEvents(seed, fleet, now)
    await insertMany(
      tx,
      events,
      generatedEvents.map(({ row }) => row),
    )
    await insertMany(
      tx,
      eventDevices,
      generatedEvents.flatMap(({ row, bssids }) => bssids.map(bssid => ({ event_id: row.id, bssid }))),
    )
  })
  await vacuumDevices(db)
  return true
}

function demoAccounts(password_hash: string, now: Date) {
  const account = (role: string, login: string, values: object) => ({
    id: demoId(`account ${login}`),
    role,
    login,
    password_hash,
    first_name: '',
    last_name: '',
    blocked: false,
    email_confirmed: false,
    company_name: '',
    company_address: '',
    description: '',
    // Yesterday, so that there are unseen notifications.
    notifications_seen_at: new Date(now.getTime() - msPerDay),
    created_at: now,
    updated_at: now,
    ...values,
  })
  return [
    account('superadmin', 'superadmin', { first_name: 'Sam', last_name: 'Okafor' }),
    account('admin', 'admin', { first_name: 'Ada', last_name: 'Fischer' }),
    ...companies.map(company =>
      account('vendor', company.login, {
        first_name: company.first,
        last_name: company.last,
        company_name: company.name,
        company_address: company.address,
      }),
    ),
    ...people.map(person =>
      account('user', person.login, {
        first_name: person.first,
        last_name: person.last,
        email_confirmed: person.confirmed,
        blocked: person.blocked,
      }),
    ),
  ]
}

async function seedCatalogue(db: Database, now: Date): Promise<void> {
  const times = { created_at: now, updated_at: now }
  const modelId = (name: string) => demoId(`model ${name}`)
  const systemId = (model: string) => demoId(`system ${model}`)
  const vendorId = (index: number) => demoId(`account ${companies[index]!.login}`)

  await insertMany(
    db,
    deviceModels,
    models.map(({ name, platform, capabilities, rates, owner }) => ({
      id: modelId(name),
      name,
      platform,
      capabilities,
      bypass_flow_rates: rates,
      owner_id: owner === undefined ? null : vendorId(owner),
      ...times,
    })),
  )
  await insertMany(
    db,
    deviceModelVendors,
    models.flatMap(({ name, vendors }) =>
      vendors.map(index => ({ model_id: modelId(name), vendor_id: vendorId(index) })),
    ),
  )
  await insertMany(
    db,
    firmwareVersions,
    Object.keys(firmware).flatMap(platform => releasesOf(platform, now)),
  )
  await insertMany(
    db,
    cartridgeTypes,
    cartridges.map(cartridge => ({ id: demoId(`cartridge ${cartridge.model}`), ...cartridge, ...times })),
  )
  await insertMany(
    db,
    filtrationSystemGroups,
    groups.map(name => ({ id: demoId(`group ${name}`), name, ...times })),
  )
  await insertMany(
    db,
    filtrationSystems,
    systems.map(({ model, group, vendor }) => ({
      id: systemId(model),
      model,
      group_id: demoId(`group ${groups[group]}`),
      vendor_id: vendorId(vendor),
      flushing: true,
      flush_smart: 'balanced',
      ...times,
    })),
  )
  await insertMany(
    db,
    filtrationSystemCartridges,
    systems.flatMap(({ model, cartridges: types }) =>
      types.map((type, position) => ({
        filtration_system_id: systemId(model),
        position,
        cartridge_type_id: demoId(`cartridge ${cartridges[type].model}`),
      })),
    ),
  )
}

/** Returns the firmware versions of a platform, released 90 days apart. */
const releasesOf = (platform: string, now: Date) =>
  firmware[platform]!.map((version, index, versions) => ({
    platform,
    version,
    released_at: new Date(now.getTime() - (versions.length - index) * 90 * msPerDay),
  }))

async function seedFleet(db: Database, fleet: number, seed: number, now: Date): Promise<void> {
  // In batches, so that a large fleet is not in memory twice.
  const batchSize = 10_000
  for (let from = 0; from < fleet; from += batchSize) {
    const generated = Array.from({ length: Math.min(batchSize, fleet - from) }, (_, index) =>
      demoDevice(seed, from + index, now),
    )
    const rows = generated.map(({ row }) => row)
    await insertMany(db, devices, rows)
    await storeValues(db, rows)
    await insertMany(
      db,
      deviceCartridges,
      generated.flatMap(device => device.cartridges),
    )
    const generatedNotifications = generated.map(device =>
      demoNotifications(device, seed, releasesOf(device.row.platform, now), now),
    )
    await insertMany(
      db,
      deviceAlarms,
      generatedNotifications.flatMap(({ alarms }) => alarms),
    )
    await insertMany(
      db,
      notifications,
      generatedNotifications.flatMap(created => created.notifications),
    )
  }
}

/** Days ago when the companies entered the water analyses of their supplies. */
const analysedDaysAgo = 120

/** Stores the water analyses of some of the supplies that devices are on. */
async function seedAnalyses(db: Database, seed: number, now: Date): Promise<void> {
  const supplies = await db
    .selectDistinct({ vendor_id: devices.vendor_id, water_supply: devices.water_supply, login: accounts.login })
    .from(devices)
    .innerJoin(accounts, eq(accounts.id, devices.vendor_id))
    .where(isNotNull(devices.water_supply))
  const updated_at = new Date(now.getTime() - analysedDaysAgo * msPerDay)
  await insertMany(
    db,
    supplyWaters,
    supplies.flatMap(({ vendor_id, water_supply, login }) => {
      const water = water_supply === null ? undefined : demoAnalysis(seed, water_supply)
      return water && water_supply !== null ? [{ vendor_id, water_supply, login, updated_at, ...water }] : []
    }),
  )
}
