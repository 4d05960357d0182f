/** Copies the demo's devices until there are a million, of two hundred vendors of unequal size. */
import { getTableColumns, getTableName, sql, type SQL } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import { withoutIndexes } from '../../../server/db/bulk.ts'
import type { Database } from '../../../server/db/database.ts'
import { deviceCartridges, devices } from '../../../server/db/schema/devices.ts'
import { deviceValues } from '../../../server/db/schema/deviceValues.ts'
import { deviceTwins } from '../../../server/db/schema/telemetry.ts'
import { seedOf } from '../../../server/demo/random.ts'
import { vacuumDevices } from '../../../server/devices/vacuumDevices.ts'
import { silence, spreadDailyChecks } from './settledFleet.ts'

/** Vendors beside the demo's, and filtration systems of each. */
const vendors = 194
const systems = 3

/** Adds copies of the first `originals` devices of a demo until there are `total`; their values differ a little. */
export async function copyDevices(db: Database, originals: number, total: number): Promise<void> {
  await db.transaction(async tx => {
    await tx.execute(sql`select setseed(0.5)`)
    await silence(tx)
    await addVendors(tx)
    await addCopies(tx, originals, total)
    // Rows of every table are inserted here, so that a trigger does not write the values twice.
    await tx.execute(sql`set local session_replication_role = replica`)
    await insertCopies(tx)
    await tx.execute(sql`set local session_replication_role = origin`)
    await spreadDailyChecks(tx)
    await tx.execute(sql`delete from device_counts`)
    await tx.execute(
      sql`insert into device_counts (vendor_id, model_id, filtration_system_id, count)
          select vendor_id, model_id, filtration_system_id, count(*) from devices group by 1, 2, 3`,
    )
  })
  await db.execute(sql`vacuum analyze device_counts, device_twins`)
  await vacuumDevices(db)
}

/** Adds vendors with filtration systems like the demo's, and a model of its own for every fifth. */
async function addVendors(db: Database): Promise<void> {
  await db.execute(
    sql`insert into accounts (id, role, login, password_hash, company_name)
        select gen_random_uuid()::text, 'vendor', 'bench' || n, password_hash,
          (array['Alpine', 'Baltic', 'Coral', 'Delta', 'Eastern', 'Frontier', 'Glacier', 'Harbour', 'Island'])[1 + n % 9]
            || ' ' || (array['Water', 'Filters', 'Springs', 'Osmosis', 'Pure', 'Aqua'])[1 + n % 6] || ' ' || n
        from generate_series(1, ${sql.raw(String(vendors))}) as n, accounts where login = 'vendor'`,
  )
  await db.execute(
    sql`insert into filtration_systems (id, model, group_id, vendor_id, flushing, flush_smart)
        select gen_random_uuid()::text, system.model || ' ' || vendor.login, group_id, vendor.id, flushing, flush_smart
        from accounts as vendor, lateral (
          select * from filtration_systems where vendor.login <> '' order by random() limit ${sql.raw(String(systems))}
        ) as system
        where vendor.login like 'bench%'`,
  )
  await db.execute(
    sql`insert into device_models (id, platform, name, capabilities, bypass_flow_rates, owner_id)
        select gen_random_uuid()::text, platform, name || ' ' || vendor.login, capabilities, bypass_flow_rates, vendor.id
        from accounts as vendor, device_models as model
        where vendor.login like 'bench%' and substr(vendor.login, 6)::integer % 5 = 0 and model.name = 'RO-400 Home'`,
  )
}

/**
 * Creates the table `copies`: the number, id and owner of each new device, and what it is a copy of. The n-th vendor has
 * a share of 1/n, so the demo's first, whose login is `vendor`, has a sixth of all devices.
 */
async function addCopies(db: Database, originals: number, total: number): Promise<void> {
  await db.execute(
    sql`create temporary table originals on commit drop as
        select row_number() over (order by bssid) as number, bssid from devices`,
  )
  await db.execute(
    sql`create temporary table owners on commit drop as
        select vendor.id, own_model.id as model, own_systems.ids as systems,
          rank, sum(1.0 / rank) over (order by rank) / sum(1.0 / rank) over () as share
        from (select id, row_number() over (order by login like 'bench%', length(login), login) as rank from accounts where role = 'vendor')
          as vendor
        left join device_models as own_model on owner_id = vendor.id and platform = 'esp32'
        cross join lateral (select array_agg(id) as ids from filtration_systems where vendor_id = vendor.id) as own_systems`,
  )
  const serial = sql.raw(`((n / 3)::bigint * ${0x9e3779b1} + ${seedOf('1')}) & ${0xffffff}`)
  await db.execute(
    sql`create temporary table copies on commit drop as
        select n, original.bssid as original, shift, owner.id as vendor, owner.model as own_model,
          case when has_system then owner.systems[1 + n % cardinality(owner.systems)] end as system,
          upper(regexp_replace((array['A41C09', '7C9EBD', '30AEA4'])[1 + n % 3] || lpad(to_hex(${serial}), 6, '0'),
            '(..)(?!$)', '\\1:', 'g')) as bssid
        from (select n, 1 + floor(random() * ${sql.raw(String(originals))})::integer as number, random() - 0.5 as shift,
                random() < 0.93 as has_system, 1 + width_bucket(random(), shares) as rank
              from generate_series(${sql.raw(String(originals))}, ${sql.raw(String(total - 1))}) as n,
                (select array_agg(share::double precision order by rank) as shares from owners) as owned) as drawn
        join originals as original using (number)
        join owners as owner using (rank)`,
  )
  await db.execute(sql`analyze copies`)
}

async function insertCopies(db: Database): Promise<void> {
  const reading = Object.fromEntries(
    ['rejection_rate', 'recovery_rate', 'temperature', 'pressure', 'feed_tds', 'permeate_tds'].map(name => [
      name,
      sql.raw(`round((original.${name} * (1 + copies.shift / 20))::numeric, 2)`),
    ]),
  )
  const litres = Object.fromEntries(
    ['feed', 'permeate', 'waste'].map(name => [
      name,
      sql.raw(`round((original.${name} * (1 + copies.shift / 2))::numeric, 1)`),
    ]),
  )
  const days = sql.raw(`copies.shift * interval '10 days'`)
  const values = { ...reading, ...litres }
  await insertCopy(db, devices, {
    vendor_id: sql`copies.vendor`,
    model_id: sql`case when original.platform = 'esp32' then coalesce(copies.own_model, original.model_id) else original.model_id end`,
    filtration_system_id: sql`copies.system`,
    // Half of the descriptions are of one device only, as where people note a room number.
    description: sql`case when original.description <> '' and copies.n % 2 = 0
      then original.description || ', room ' || copies.n % 100000 else original.description end`,
    next_replacement_at: sql`original.next_replacement_at + ${days}`,
    created_at: sql`original.created_at + ${days}`,
    updated_at: sql`original.updated_at + ${days}`,
  })
  await insertCopy(db, deviceValues, {
    vendor_id: sql`copies.vendor`,
    last_active: sql`original.last_active + copies.shift * interval '1 minute'`,
    ...values,
  })
  await insertCopy(db, deviceTwins, {
    heard_at: sql`original.heard_at + copies.shift * interval '1 minute'`,
    // The server would mark them as offline one by one while lists are measured, or as online again if they were heard later.
    offline_at: sql`coalesce(original.offline_at, original.heard_at) + copies.shift * interval '1 minute'`,
    ...values,
  })
  await insertCopy(db, deviceCartridges, { installed_at: sql`original.installed_at + ${days}` })
}

/** Inserts each copy's rows: those of its original, with its own id and other values in some columns. */
async function insertCopy(db: Database, table: PgTable, changed: Readonly<Record<string, SQL>>): Promise<void> {
  const columns = Object.values(getTableColumns(table)).filter(column => column.generated === undefined)
  const valueOf = (name: string) =>
    name === 'bssid' ? sql`copies.bssid` : (changed[name] ?? sql`original.${sql.identifier(name)}`)
  const list = (parts: readonly SQL[]) => sql.join([...parts], sql`, `)
  const name = sql.identifier(getTableName(table))
  await withoutIndexes(db, getTableName(table), () =>
    db
      .execute(
        sql`insert into ${name} (${list(columns.map(column => sql`${sql.identifier(column.name)}`))})
            select ${list(columns.map(column => valueOf(column.name)))}
            from copies join ${name} as original on original.bssid = copies.original`,
      )
      .then(() => undefined),
  )
}
