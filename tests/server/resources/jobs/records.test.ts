/** Jobs that change what the server stores about devices: nothing is sent, and a device's task ends with its change. */
import { and, asc, eq, inArray, ne, sql } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import type { BulkResponse } from '../../../../src/api/contract/endpoint.ts'
import { recordCommands, type JobPreview } from '../../../../src/api/contract/jobs.ts'
import { msPerDay, msPerHour, msPerMinute } from '../../../../src/domain/time.ts'
import type { BusEvent } from '../../../../server/bus/bus.ts'
import { newId } from '../../../../server/db/id.ts'
import { accounts } from '../../../../server/db/schema/accounts.ts'
import { deviceCartridges, devices } from '../../../../server/db/schema/devices.ts'
import { filtrationSystems } from '../../../../server/db/schema/filtration.ts'
import { jobs as jobRows, jobTasks } from '../../../../server/db/schema/jobs.ts'
import { deviceModels, deviceModelVendors } from '../../../../server/db/schema/models.ts'
import { notifications } from '../../../../server/db/schema/notifications.ts'
import { until } from '../../../support/until.ts'
import { insertDevice } from '../../support/devices/deviceRows.ts'
import { rowsOfOthers } from '../../support/database/rows.ts'
import { counted, startJobs } from './support.ts'

const { db, bus, bssids, clock, link, vendor, setStatus, describe: name, advance, ...jobs } = await startJobs()
const { as, create, job, act, reaches, task, tasks, row } = jobs
const absent = '00:00:00:00:00:00'
const utc = { command: 'set_time_zone', input: { time_zone: 'UTC' } }
const berlin = { command: 'set_time_zone', input: { time_zone: 'Europe/Berlin' } }

beforeEach(async () => {
  link.sent.length = 0
  await setStatus(0, ...bssids)
  await db.update(devices).set({ time_zone: null })
})

const stored = async (bssid: string) => (await db.select().from(devices).where(eq(devices.bssid, bssid)))[0]!
const zonesOf = async (...ids: readonly (string | undefined)[]) => {
  const rows = await db
    .select()
    .from(devices)
    .where(
      inArray(
        devices.bssid,
        ids.flatMap(id => id ?? []),
      ),
    )
  return rows.map(({ time_zone }) => time_zone)
}
const foreign = async () => {
  const rows = await db.select().from(devices).where(ne(devices.vendor_id, vendor)).orderBy(asc(devices.bssid))
  return rows.map(({ bssid }) => bssid)
}
const previewed = async (body: object, login = 'vendor') => {
  const answer = await as(login, 'POST', 'jobs?preview=true', body)
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json<{ data: JobPreview }>().data
}
const undoOf = async (id: string) => (await act(id, 'undo')).json<{ data: { _id: string } }>().data._id
const newest = async () => (await db.select().from(jobRows).orderBy(asc(jobRows.id))).at(-1)!
/** Returns the events that are published while `work` runs. */
const eventsDuring = async (work: () => Promise<unknown>): Promise<BusEvent[]> => {
  const events: BusEvent[] = []
  const unsubscribe = bus.subscribe(event => void events.push(event))
  await work()
  unsubscribe()
  return events
}
/** Adds devices of the vendor, which a test may delete. */
const added = async (count: number): Promise<string[]> => {
  const [like] = await db.select().from(devices).where(eq(devices.bssid, bssids[0]!))
  const ids = Array.from(
    { length: count },
    () =>
      `7E:${newId()
        .replaceAll('-', '')
        .slice(-10)
        .toUpperCase()
        .replace(/(..)(?=.)/g, '$1:')}`,
  )
  for (const bssid of ids) await insertDevice(db, { ...like!, bssid, description: 'To delete' })
  return ids
}

describe('a change of records', () => {
  test('is made on devices that are offline, without sending anything', async () => {
    const [offline] = bssids
    await setStatus(3, offline!)
    expect(await previewed({ ...berlin, ids: [...bssids, absent] })).toMatchObject({
      total: 31,
      count: 30,
      waiting: 0,
      reasons: [{ reason: 'Device not found', count: 1, devices: [absent] }],
    })
    const id = await create({ ...berlin, ids: [...bssids, absent] })
    expect(counted(await reaches(id, 'ended'))).toEqual({ done: 30, skipped: 1 })
    expect(new Set(await zonesOf(...bssids))).toEqual(new Set(['Europe/Berlin']))
    expect(await task(id, offline!)).toMatchObject({ state: 'done', reason: null, attempts: 0, due_at: null })
    expect(link.sent).toEqual([])
  })

  test('tells consoles about the changed rows', async () => {
    const events = await eventsDuring(async () => reaches(await create({ ...berlin, ids: bssids }), 'ended'))
    const changed = events.flatMap(event => (event.kind === 'devices' ? event.bssids : []))
    expect(changed.toSorted()).toEqual(bssids)
  })

  test('sets the water supply, which can be undone', async () => {
    const ids = bssids.slice(0, 2)
    await db.update(devices).set({ water_supply: 'Old works' }).where(eq(devices.bssid, ids[0]!))
    await db.update(devices).set({ water_supply: null }).where(eq(devices.bssid, ids[1]!))
    const id = await create({ command: 'set_water_supply', input: { water_supply: 'New works' }, ids })
    await reaches(id, 'ended')
    const supplies = async () => [(await stored(ids[0]!)).water_supply, (await stored(ids[1]!)).water_supply]
    expect(await supplies()).toEqual(['New works', 'New works'])
    await reaches(await undoOf(id), 'ended')
    expect(await supplies()).toEqual(['Old works', null])
  })

  test('by search reaches no device of another vendor, and by ids finds none', async () => {
    const [other] = await foreign()
    await name('Zone test', bssids[0]!, bssids[1]!, other!)
    const search = { column: 'description', operator: 'eq', search: 'Zone test' }
    const bySearch = await create({ ...berlin, search })
    expect((await reaches(bySearch, 'ended')).total).toBe(2)
    const byIds = await create({ ...berlin, ids: [bssids[2]!, other!] })
    await reaches(byIds, 'ended')
    expect(await task(byIds, other!)).toMatchObject({ state: 'skipped', reason: 'Device not found' })
    expect(await zonesOf(other)).toEqual([null])
    expect(await zonesOf(...bssids.slice(0, 3))).toEqual(['Europe/Berlin', 'Europe/Berlin', 'Europe/Berlin'])
  })

  test('does not reach a device that has left the vendor since', async () => {
    const [left] = bssids
    const [{ vendor_id: other } = { vendor_id: '' }] = await db
      .select()
      .from(devices)
      .where(ne(devices.vendor_id, vendor))
    const start = new Date(clock.now().getTime() + msPerHour).toISOString()
    const id = await create({ ...berlin, ids: bssids.slice(0, 2), policy: { start } })
    await db.update(devices).set({ vendor_id: other }).where(eq(devices.bssid, left!))
    advance(msPerHour)
    expect(counted(await reaches(id, 'ended'))).toEqual({ done: 1, cancelled: 1 })
    expect((await task(id, left!)).reason).toBe('The device was deleted or belongs to another vendor')
    expect(await zonesOf(left)).toEqual([null])
    await db.update(devices).set({ vendor_id: vendor }).where(eq(devices.bssid, left!))
  })

  test('goes by waves, a rate and windows', async () => {
    const waves = await create({ ...berlin, ids: bssids.slice(0, 3), policy: { waves: [{ size: 1, wait: 10 }] } })
    await until(async () => expect((await job(waves)).next_wave_at).not.toBeNull())
    expect(counted(await job(waves))).toEqual({ done: 1, queued: 2 })
    advance(10 * msPerMinute)
    await reaches(waves, 'ended')

    const rate = await create({ ...utc, ids: bssids.slice(0, 3), policy: { rate: 1 } })
    await until(async () => expect(counted(await job(rate))).toEqual({ done: 1, queued: 2 }))
    advance(msPerMinute)
    await until(async () => expect(counted(await job(rate))).toEqual({ done: 2, queued: 1 }))
    advance(msPerMinute)
    await reaches(rate, 'ended')

    const clockTime = (hours: number) => new Date(clock.now().getTime() + hours * msPerHour).toISOString().slice(11, 16)
    const window = { days: [1, 2, 3, 4, 5, 6, 7], from: clockTime(1), to: clockTime(2) }
    // Their zone is UTC by now, in which the window opens in an hour.
    const later = await create({ ...berlin, ids: bssids.slice(0, 3), policy: { window } })
    const dueTimes = async () => (await tasks(later)).map(({ due_at }) => due_at?.toISOString().slice(11, 16))
    await until(async () => expect(await dueTimes()).toEqual([window.from, window.from, window.from]))
    expect(counted(await job(later))).toEqual({ queued: 3 })
    advance(msPerHour)
    expect(counted(await reaches(later, 'ended'))).toEqual({ done: 3 })
  })

  test('is replaced by a later job, and by a call, so that it does not overwrite what is newer', async () => {
    const named = (water_supply: string) => ({ command: 'set_water_supply', input: { water_supply } })
    const policy = { start: new Date(clock.now().getTime() + msPerHour).toISOString(), waves: [{ size: 1, wait: 60 }] }
    const older = await create({ ...named('Old Works'), ids: bssids.slice(0, 3), policy })
    advance(msPerHour)
    await until(async () => expect(counted(await job(older))).toEqual({ done: 1, queued: 2 }))
    const left = (await tasks(older)).flatMap(({ bssid, state }) => (state === 'queued' ? [bssid] : []))
    await reaches(await create({ ...named('New Works'), ids: [left[0]!] }), 'ended')
    expect(await task(older, left[0]!)).toMatchObject({ state: 'cancelled', reason: 'Replaced by a later job' })
    const body = { ids: [left[1]!], water_supply: 'New Works' }
    expect((await as('vendor', 'PUT', 'devices/water-supply', body)).statusCode).toBe(200)
    expect(await task(older, left[1]!)).toMatchObject({ state: 'cancelled', reason: 'Replaced by a later job' })
    await reaches(older, 'ended')
  })

  test('names an id with half a surrogate pair like another that is not found', async () => {
    const body = { ids: [bssids[0]!, '\ud800'], water_supply: 'Works' }
    const response = await as('vendor', 'PUT', 'devices/water-supply', body)
    expect(response.statusCode, response.body).toBe(200)
    expect(response.json<{ data: BulkResponse }>().data).toMatchObject({
      count: 1,
      failed: [{ id: '\ufffd', message: 'Device not found' }],
    })
    const search = { column: 'bssid', operator: 'eq', search: '\ud800' }
    expect((await as('vendor', 'POST', 'jobs', { ...utc, search })).statusCode).toBeLessThan(500)
  })

  test('can be repeated', async () => {
    const policy = { start: { rrule: 'FREQ=DAILY', from: clock.now().toISOString(), time_zone: 'UTC' } }
    const id = await create({ ...berlin, ids: bssids.slice(0, 2), policy })
    advance(msPerDay)
    const repeats = async () => db.select().from(jobRows).where(eq(jobRows.parent_id, id))
    await until(async () => expect((await repeats()).map(({ done, state }) => [done, state])).toEqual([[2, 'ended']]))
    expect((await act(id, 'cancel')).statusCode).toBe(200)
    await reaches(id, 'ended')
  })

  test('keeps the order of a device’s jobs', async () => {
    const [busy] = bssids
    const answered = Promise.withResolvers<void>()
    link.slow.set(busy!, answered.promise)
    const first = await create({ command: 'flush', ids: [busy!] })
    await until(() => expect(link.sent).toHaveLength(1))
    const second = await create({ ...berlin, ids: bssids.slice(0, 2) })
    await until(async () => expect(counted(await job(second))).toEqual({ done: 1, queued: 1 }))
    expect(await zonesOf(busy)).toEqual([null])
    answered.resolve()
    await reaches(first, 'ended')
    await reaches(second, 'ended')
    link.slow.clear()
    expect(await zonesOf(busy)).toEqual(['Europe/Berlin'])
  })

  test('is one entry in the history for its call and one for its end', async () => {
    const id = await create({ ...berlin, ids: bssids.slice(0, 2) })
    await reaches(id, 'ended')
    const answer = await as('admin', 'GET', 'audit?limit=1000')
    const entries = answer.json<{ data: { data: { ids: string[]; title: string }[] } }>().data.data
    expect(
      entries
        .filter(({ ids }) => ids.includes(id))
        .map(({ title }) => title)
        .toSorted(),
    ).toEqual(['Created job', 'Job ended'])
    expect(entries.filter(({ title }) => title === 'Changed time zone of devices')).toEqual([])
  })

  test('is undone by the values of each device, and again', async () => {
    const [one, two] = bssids
    await db.update(devices).set({ time_zone: 'Asia/Tokyo' }).where(eq(devices.bssid, one!))
    const id = await create({ ...berlin, ids: [one!, two!] })
    await reaches(id, 'ended')
    const undo = await undoOf(id)
    expect(await reaches(undo, 'ended')).toMatchObject({ kind: 'undo', done: 2 })
    expect([(await stored(one!)).time_zone, (await stored(two!)).time_zone]).toEqual(['Asia/Tokyo', null])
    await reaches(await undoOf(undo), 'ended')
    expect(await zonesOf(one, two)).toEqual(['Europe/Berlin', 'Europe/Berlin'])
  })

  test('is cancelled where it has not been made', async () => {
    const id = await create({ ...berlin, ids: bssids.slice(0, 3), policy: { rate: 1 } })
    await until(async () => expect(counted(await job(id))).toEqual({ done: 1, queued: 2 }))
    expect((await act(id, 'cancel')).statusCode).toBe(200)
    expect(counted(await reaches(id, 'ended'))).toEqual({ done: 1, cancelled: 2 })
    expect((await zonesOf(...bssids.slice(0, 3))).filter(zone => zone === null)).toHaveLength(2)
  })
})

describe('a search of a vendor', () => {
  test.each(Object.keys(recordCommands))(
    'that matches devices of others, too, changes none of them by %s',
    async command => {
      const own = await added(2)
      const text = `Scope of ${command}`
      await name(text, ...own, ...(await foreign()))
      const { model_id } = await stored(own[0]!)
      const inputs: Record<string, object> = {
        set_model: { model: model_id },
        set_filtration_system: { filtration_system: null },
        set_time_zone: { time_zone: 'Europe/Oslo' },
        set_water_supply: { water_supply: 'Works 7' },
        delete: {},
      }
      const others = await rowsOfOthers(db, vendor)
      const search = { column: 'description', operator: 'eq', search: text }
      const id = await create({ command, input: inputs[command], search })
      expect(counted(await reaches(id, 'ended'))).toEqual({ done: 2 })
      expect((await tasks(id)).map(({ bssid }) => bssid)).toEqual(own.toSorted())
      expect(await rowsOfOthers(db, vendor)).toEqual(others)
      await db.delete(devices).where(inArray(devices.bssid, own))
    },
  )
})

describe('a server that was killed', () => {
  test('between its claim and the change leaves the task to the next one, which makes the change once', async () => {
    const [claimed, other] = bssids
    const start = new Date(clock.now().getTime() + msPerHour)
    const id = await create({ ...berlin, ids: [claimed!, other!], policy: { start: start.toISOString() } })
    const lease = new Date(start.getTime() + 20_000)
    await db
      .update(jobTasks)
      .set({ state: 'sent', command_id: newId(), due_at: lease })
      .where(and(eq(jobTasks.job_id, id), eq(jobTasks.bssid, claimed!)))
    advance(msPerHour)
    await until(async () => expect(counted(await job(id))).toEqual({ done: 1, sent: 1 }))
    expect(await zonesOf(claimed)).toEqual([null])
    advance(20_000)
    expect(counted(await reaches(id, 'ended'))).toEqual({ done: 2 })
    expect(await task(id, claimed!)).toMatchObject({ before: { time_zone: null } })
    expect(await zonesOf(claimed)).toEqual(['Europe/Berlin'])
  })

  test('before the end of the change has changed nothing', async () => {
    const [one, two] = bssids
    await db.execute(sql`
      create function fail_done() returns trigger language plpgsql as
        $$ begin if new.state = 'done' then raise exception 'The server was killed'; end if; return new; end $$`)
    await db.execute(sql`
      create trigger fail_done before update on job_tasks for each row execute function fail_done()`)
    const id = await create({ ...berlin, ids: [one!, two!] })
    await until(() => expect(jobs.log.join('\n')).toMatch(/Could not carry out tasks that change records/))
    expect(counted(await job(id))).toEqual({ sent: 2 })
    expect(await zonesOf(one, two)).toEqual([null, null])
    await db.execute(sql`drop trigger fail_done on job_tasks`)
    advance(20_000)
    expect(counted(await reaches(id, 'ended'))).toEqual({ done: 2 })
    expect(await zonesOf(one, two)).toEqual(['Europe/Berlin', 'Europe/Berlin'])
    await reaches(await undoOf(id), 'ended')
    expect(await zonesOf(one, two)).toEqual([null, null])
  })
})

describe('the model', () => {
  /** A model that is offered to no other vendor. */
  const ownModel = async (login: string): Promise<string> => {
    const [owner] = await db.select().from(accounts).where(eq(accounts.login, login))
    const [like] = await db.select().from(deviceModels)
    const id = newId()
    await db.insert(deviceModels).values({ ...like!, id, name: `Model ${id}`, owner_id: owner!.id })
    await db.insert(deviceModelVendors).values({ model_id: id, vendor_id: owner!.id })
    return id
  }

  test('is changed where its vendor has it, and the others are skipped with the reason of the call', async () => {
    const model = await ownModel('vendor')
    const [other] = await foreign()
    const body = { command: 'set_model', input: { model }, ids: [bssids[0]!, other!] }
    const call = await as('admin', 'PUT', 'devices/model?preview=true', { ids: body.ids, model })
    const [{ message } = { message: '' }] = call.json<{ data: BulkResponse }>().data.failed
    expect(message).toMatch(/^Model .* is not offered to /)
    const { reasons, count } = await previewed(body, 'admin')
    expect([count, reasons]).toEqual([1, [{ reason: message, count: 1, devices: [other] }]])
    const answer = await as('admin', 'POST', 'jobs', body)
    const id = answer.json<{ data: { _id: string } }>().data._id
    await reaches(id, 'ended', 'admin')
    expect(await task(id, other!)).toMatchObject({ state: 'skipped', reason: message })
    expect(await task(id, bssids[0]!)).toMatchObject({ state: 'done', before: { model: expect.any(String) as string } })
    expect((await stored(bssids[0]!)).model_id).toBe(model)
  })

  test('of another vendor is not found, and nothing is created', async () => {
    const model = await ownModel('vendor2')
    const before = await db.$count(jobRows)
    for (const query of ['', '?preview=true']) {
      const answer = await as('vendor', 'POST', `jobs${query}`, { command: 'set_model', input: { model }, ids: bssids })
      expect([answer.statusCode, answer.json()]).toEqual([404, { message: 'Device model not found' }])
    }
    expect(await db.$count(jobRows)).toBe(before)
  })

  test('that was deleted before the job began is a reason, not an error', async () => {
    const model = await ownModel('vendor')
    const start = new Date(clock.now().getTime() + msPerHour).toISOString()
    const id = await create({ command: 'set_model', input: { model }, ids: bssids.slice(0, 2), policy: { start } })
    await db.delete(deviceModels).where(eq(deviceModels.id, model))
    advance(msPerHour)
    expect(counted(await reaches(id, 'ended'))).toEqual({ skipped: 2 })
    expect((await task(id, bssids[0]!)).reason).toBe('Device model not found')
  })
})

describe('the filtration system', () => {
  const system = async () =>
    (
      await db
        .select()
        .from(filtrationSystems)
        .where(eq(filtrationSystems.vendor_id, vendor))
        .orderBy(asc(filtrationSystems.id))
    )[0]!
  const command = 'set_filtration_system'

  test('is changed with new cartridges and a notification, and undone only where there was none', async () => {
    const { id: chosen } = await system()
    const [without, before] = bssids
    const earlier = await db
      .select()
      .from(filtrationSystems)
      .where(and(eq(filtrationSystems.vendor_id, vendor), ne(filtrationSystems.id, chosen)))
    await db.update(devices).set({ filtration_system_id: null }).where(eq(devices.bssid, without!))
    await db.update(devices).set({ filtration_system_id: earlier[0]!.id }).where(eq(devices.bssid, before!))
    const ids = [without!, before!]
    const id = await create({ command, input: { filtration_system: chosen }, ids })
    expect(counted(await reaches(id, 'ended'))).toEqual({ done: 2 })
    for (const bssid of ids) {
      expect((await stored(bssid)).filtration_system_id).toBe(chosen)
      expect(await db.$count(deviceCartridges, eq(deviceCartridges.bssid, bssid))).toBeGreaterThan(0)
    }
    await until(async () =>
      expect(
        await db.$count(
          notifications,
          and(inArray(notifications.bssid, ids), eq(notifications.type, 'filtration_system_changed')),
        ),
      ).toBe(2),
    )
    const reason = 'The previous values cannot be restored'
    const preview = (await as('vendor', 'POST', `jobs/${id}/undo?preview=true`)).json<{ data: JobPreview }>().data
    expect(preview).toMatchObject({ total: 1, count: 1, reasons: [{ reason, count: 1, devices: [before] }] })
    const undo = await undoOf(id)
    expect(counted(await reaches(undo, 'ended'))).toEqual({ done: 1 })
    expect((await stored(without!)).filtration_system_id).toBeNull()
    expect((await stored(before!)).filtration_system_id).toBe(chosen)
    expect((await act(undo, 'undo')).json()).toEqual({
      message: 'The job has changed nothing that can be undone',
    })
  })

  test('is refused for devices of several vendors, or of another one, as by the call', async () => {
    const { id: chosen, model } = await system()
    const [other] = await foreign()
    const before = await db.$count(jobRows)
    const refusals: [string[], string][] = [
      [[bssids[0]!, other!], 'Please select devices from the same vendor'],
      [[other!], `Filtration system ${model} is not assigned to `],
    ]
    for (const [ids, message] of refusals) {
      const call = await as('admin', 'PUT', 'devices/filtration-system', { ids, filtration_system: chosen })
      for (const query of ['', '?preview=true']) {
        const body = { command, input: { filtration_system: chosen }, ids }
        const answer = await as('admin', 'POST', `jobs${query}`, body)
        expect([answer.statusCode, answer.json()]).toEqual([400, call.json()])
        expect(answer.json<{ message: string }>().message).toContain(message)
      }
    }
    expect(await db.$count(jobRows)).toBe(before)
  })
})

describe('a deletion', () => {
  test('is survived by its job and its tasks, and ends other tasks of the devices', async () => {
    const ids = await added(3)
    const start = new Date(clock.now().getTime() + msPerHour).toISOString()
    const later = await create({ command: 'flush', ids: [ids[0]!, bssids[0]!], policy: { start } })
    const search = { column: 'description', operator: 'eq', search: 'To delete' }
    expect((await previewed({ command: 'delete', search })).count).toBe(3)
    let id = ''
    const events = await eventsDuring(async () => {
      id = await create({ command: 'delete', search })
      expect(counted(await reaches(id, 'ended'))).toEqual({ done: 3 })
    })
    expect(await db.select().from(devices).where(inArray(devices.bssid, ids))).toEqual([])
    expect((await tasks(id)).map(({ bssid, state }) => [bssid, state])).toEqual(
      ids.toSorted().map(bssid => [bssid, 'done']),
    )
    const answer = await as('vendor', 'GET', `jobs/${id}/tasks`)
    expect(answer.json<{ data: { count: number } }>().data.count).toBe(3)
    expect(events.flatMap(event => (event.kind === 'deleted' ? event.bssids : [])).toSorted()).toEqual(ids.toSorted())
    const lists = events.flatMap(event => (event.kind === 'vendorResources' ? event.changes : []))
    for (const resource of ['devices', 'events', 'notifications'])
      for (const whose of [vendor, null]) expect(lists).toContainEqual({ resource, vendor: whose })
    expect((await act(id, 'undo')).json()).toEqual({ message: 'The job has changed nothing that can be undone' })
    advance(msPerHour)
    expect(counted(await reaches(later, 'ended'))).toEqual({ done: 1, cancelled: 1 })
    expect((await task(later, ids[0]!)).reason).toBe('The device was deleted or belongs to another vendor')
  })
})

describe('a policy', () => {
  test.each(['delete', 'set_time_zone'])('of %s has nothing about sending', async command => {
    const input = command === 'delete' ? {} : utc.input
    const before = await db.$count(jobRows)
    const meaningless = { offline: 24, retries: 1, stop: { failed: '5%', after: 20 } }
    for (const [field, value] of Object.entries(meaningless)) {
      const answer = await as('vendor', 'POST', 'jobs', { command, input, ids: bssids, policy: { [field]: value } })
      expect([answer.statusCode, answer.json()]).toEqual([
        400,
        { message: `Policy ${field} is only for commands that are sent to devices` },
      ])
    }
    const success = { command, input, ids: bssids, policy: { success: 'acknowledged' } }
    expect((await as('vendor', 'POST', 'jobs', success)).json()).toEqual({
      message: 'Policy success is only for update_firmware',
    })
    expect(await db.$count(jobRows)).toBe(before)
  })

  test.each([
    [{ command: 'set_time_zone', input: { time_zone: 'Mars/Base' } }, /Time zone/],
    [{ command: 'set_time_zone' }, /Time zone is required/],
    [{ command: 'set_model' }, /Model is required/],
    [{ command: 'delete', input: { force: true } }, 'Unknown field: force'],
  ])('bad input creates nothing: %#', async (body, message) => {
    const before = await db.$count(jobRows)
    const answer = await as('vendor', 'POST', 'jobs', { ...body, ids: bssids })
    expect(answer.statusCode).toBe(400)
    expect(answer.json<{ message: string }>().message).toMatch(message)
    expect(await db.$count(jobRows)).toBe(before)
  })
})

describe('a call', () => {
  const call = async (method: 'PUT' | 'DELETE', path: string, body: object, query = '') => {
    const answer = await as('vendor', method, `devices${path}${query}`, body)
    expect(answer.statusCode, answer.body).toBe(200)
    return answer.json<{ data: BulkResponse }>().data
  }

  test('is recorded as a job with what became of each device, and can be undone', async () => {
    const [one, two] = bssids
    const [other] = await foreign()
    const ids = [one!, two!, other!, absent]
    const answer = await call('PUT', '/time-zone', { ids, time_zone: 'Europe/Berlin' })
    expect([answer.count, answer.total]).toEqual([2, 4])
    const { id } = await newest()
    expect(await job(id)).toMatchObject({ kind: 'call', state: 'ended', total: 4, ...berlin })
    expect(counted(await job(id))).toEqual({ done: 2, skipped: 2 })
    expect(await task(id, other!)).toMatchObject({ state: 'skipped', reason: 'Device not found' })
    expect((await row(id)).ended_at).not.toBeNull()
    await reaches(await undoOf(id), 'ended')
    expect(await zonesOf(one, two)).toEqual([null, null])
  })

  test('that deletes is recorded, too', async () => {
    const ids = await added(2)
    expect((await call('DELETE', '', { ids })).count).toBe(2)
    const { id } = await newest()
    expect(await job(id)).toMatchObject({ kind: 'call', command: 'delete', state: 'ended', done: 2 })
    expect((await tasks(id)).map(({ bssid }) => bssid)).toEqual(ids.toSorted())
  })

  test('on one device is no job, nor a preview, nor one that finds no device or is refused', async () => {
    const before = await db.$count(jobRows)
    const zone = { time_zone: 'UTC' }
    await call('PUT', '/time-zone', { ids: [bssids[0]], ...zone })
    await call('PUT', '/time-zone', { ids: [bssids[0], bssids[0]!.toLowerCase()], ...zone })
    await call('PUT', '/time-zone', { ids: [absent, (await foreign())[0]], ...zone })
    await call('PUT', '/time-zone', { ids: bssids, ...zone }, '?preview=true')
    await as('vendor', 'PUT', 'devices/model', { ids: bssids, model: 'none' })
    expect(await db.$count(jobRows)).toBe(before)
  })
})
