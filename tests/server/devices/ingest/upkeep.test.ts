/** Upkeep beside ingest: syncing rows, marking silent devices and removing old data. */
import { eq, inArray, sql } from 'drizzle-orm'
import { afterAll, describe, expect, test } from 'vitest'
import type { DeviceDetail } from '../../../../src/api/contract/devices.ts'
import { devices } from '../../../../server/db/schema/devices.ts'
import { notifications } from '../../../../server/db/schema/notifications.ts'
import {
  deviceTwins,
  forgottenDevices,
  readingHours,
  readings,
  readingTenMinutes,
  silenceChecks,
} from '../../../../server/db/schema/telemetry.ts'
import { alwaysThere } from '../../../../server/db/state.ts'
import { demoPassword } from '../../../../server/demo/catalogue.ts'
import { openAlarms } from '../../../../server/devices/alarms/alarms.ts'
import { markSilent, maxChecked, type SilentDevices } from '../../../../server/devices/ingest/offline.ts'
import { deleteOrphanedTelemetry } from '../../../../server/telemetry/postgres/retention.ts'
import {
  dayNumber,
  openPartitions,
  partitionOf,
  type PartitionedTable,
} from '../../../../server/telemetry/postgres/partitions.ts'
import { writeRollups } from '../../../../server/telemetry/postgres/rollups.ts'
import type { Rollup } from '../../../../server/telemetry/rollup.ts'
import { listeningSince, maxInterruption, noteListening } from '../../../../server/devices/ingest/listening.ts'
import { openIngest } from '../../../../server/devices/ingest/readings.ts'
import { openStates } from '../../../../server/devices/ingest/states.ts'
import { findUnsynced, syncTwins, type FoundUnsynced } from '../../../../server/devices/ingest/sync.ts'
import { openUnsynced } from '../../../../server/devices/ingest/unsynced.ts'
import { openUpkeep } from '../../../../server/devices/ingest/upkeep.ts'
import { deviceRow } from '../../support/devices/deviceRows.ts'
import { breakingDatabase } from '../../support/database/breakingDatabase.ts'
import { startServer } from '../../support/harness.ts'
import {
  day,
  hour,
  minute,
  newDevice,
  readingAt,
  recordingAlarms,
  testIngest,
} from '../../support/devices/readingSamples.ts'
import { until } from '../../../support/until.ts'

const server = await startServer()
const { db, telemetry, bus, clock } = server
const ingest = testIngest(server)
const { parts } = ingest
const states = openStates(parts)
afterAll(async () => {
  await states.close()
  await ingest.close()
})

const second = 1000
/** Calls as an administrator with a new session, because the clock is advanced beyond the life of a session. */
async function call<Answer>(method: 'GET' | 'DELETE', url: string, body?: object): Promise<Answer> {
  const login = { login: 'admin', password: demoPassword }
  const signedIn = await server.call('POST', '/api/v3/auth/login/dashboard', { body: login })
  const token = signedIn.json<{ data: { access_token: string } }>().data.access_token
  const answer = await server.call(method, url, { token, ...(body && { body }) })
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json<{ data: Answer }>().data
}
const now = () => clock.now().getTime()
const never = new AbortController().signal
const rowOf = (bssid: string) => deviceRow(db, bssid)
const twinOf = async (bssid: string) => (await db.select().from(deviceTwins).where(eq(deviceTwins.bssid, bssid)))[0]!
const alarmCallsFor = (bssid: string) =>
  parts.alarms.calls.filter(one => one.bssids.includes(bssid)).map(({ what }) => what)
const upkeepParts = {
  ...parts,
  database: alwaysThere,
  tenMinuteDays: 365,
  prunes: [],
  isGateway: false,
  isWorker: true,
  isListening: async () => true,
  hasLostServer: async () => false,
}

/** Creates a device that has just published a state. */
async function activeDevice(interval = 30): Promise<string> {
  const bssid = await newDevice(db)
  await states.report(bssid, { at: clock.now().toISOString(), status: 1, report_interval: interval })
  return bssid
}
/** Marks silent devices at a time (milliseconds UTC), with the server listening for `listening`, and returns them. */
async function silentAt(at: number, listening = hour): Promise<string[]> {
  const found: string[] = []
  for (let size = maxChecked; size > 0;) {
    const limits = { now: at, listeningSince: at - listening, interruptedUntil: at - listening, size }
    const silent: SilentDevices = await db.transaction(tx => markSilent(tx, limits))
    found.push(...silent.bssids)
    size = silent.next
  }
  return found
}
const heardAt = async (bssid: string) => (await twinOf(bssid)).heard_at!.getTime()

describe('rows of devices', () => {
  test('are synced only if they differ, and found by comparison', async () => {
    const bssids = await Promise.all(Array.from({ length: 5 }, () => newDevice(db)))
    const found = async (since = now() - hour) => {
      const all: string[] = []
      for (let block: number | undefined = 0; block !== undefined;) {
        const part: FoundUnsynced = await findUnsynced(db, block, since)
        all.push(...part.bssids)
        block = part.next
      }
      return all.filter(bssid => bssids.includes(bssid))
    }
    expect(await found()).toEqual([])
    await Promise.all(bssids.map(bssid => ingest.add(bssid, [readingAt(now())])))
    expect((await found()).toSorted()).toEqual(bssids.toSorted())
    expect(await found(now() + minute)).toEqual([])
    const first = await syncTwins(db, bssids.slice(0, 3))
    expect(first.changed.toSorted()).toEqual(bssids.slice(0, 3).toSorted())
    expect(first).toMatchObject({ online: first.changed, busy: [] })
    expect((await found()).toSorted()).toEqual(bssids.slice(3).toSorted())
    expect((await syncTwins(db, bssids)).changed.toSorted()).toEqual(bssids.slice(3).toSorted())
    expect(await syncTwins(db, bssids)).toEqual({ changed: [], online: [], busy: [] })
    expect(await found()).toEqual([])
  })

  test('that are locked are synced later', async () => {
    const [locked, free] = [await newDevice(db), await newDevice(db)]
    await Promise.all([locked, free].map(bssid => ingest.add(bssid, [readingAt(now())])))
    await db.transaction(async tx => {
      await tx.execute(sql`select from device_values where bssid = ${locked} for update`)
      expect(await syncTwins(db, [locked, free])).toMatchObject({ busy: [locked] })
    })
    expect((await rowOf(free)).feed).toBe(1)
    expect((await rowOf(locked)).feed).toBe(0)
    expect(await syncTwins(db, [locked, free])).toEqual({ changed: [locked], online: [locked], busy: [] })
    expect((await rowOf(locked)).feed).toBe(1)
  })

  test('are synced without changing updated_at, and with rounded litres', async () => {
    const bssid = await newDevice(db)
    const before = await rowOf(bssid)
    await ingest.add(
      bssid,
      [0.1, 0.2].map((feed, at) => readingAt(now() + at, { feed, permeate: 0 })),
    )
    await syncTwins(db, [bssid])
    expect(await rowOf(bssid)).toMatchObject({ feed: 0.3, waste: 0.3, updated_at: before.updated_at, status: 0 })
  })
})

describe('silence', () => {
  test('of three report intervals, and at least 90 seconds, sets a device offline', async () => {
    const [often, seldom] = [await activeDevice(10), await activeDevice(600)]
    const lastHeard = { often: await heardAt(often), seldom: await heardAt(seldom) }
    expect(await silentAt(lastHeard.often + 90 * second)).not.toContain(often)
    expect(await silentAt(lastHeard.often + 90 * second + 1)).toContain(often)
    expect(await silentAt(lastHeard.often + 91 * second)).not.toContain(often)
    expect(await silentAt(lastHeard.seldom + 1800 * second)).not.toContain(seldom)
    expect(await silentAt(lastHeard.seldom + 1800 * second + 1)).toContain(seldom)
    expect(await rowOf(seldom)).toMatchObject({ status: 3 })
  })

  test('before the server listened does not count', async () => {
    const bssid = await activeDevice(10)
    const later = (await heardAt(bssid)) + hour
    expect(await silentAt(later, 90 * second)).not.toContain(bssid)
    expect(await silentAt(later, 90 * second + 1)).toContain(bssid)
  })

  test('is noticed in time by a device that reports more often than before, and by one that is back', async () => {
    const bssid = await activeDevice(3600)
    const heard = await heardAt(bssid)
    // It would be silent in three hours.
    expect(await silentAt(heard + minute)).not.toContain(bssid)
    clock.advance(second)
    const at = clock.now().toISOString()
    await states.report(bssid, { at, status: 1, report_interval: 10 })
    expect(await silentAt((await heardAt(bssid)) + 91 * second)).toContain(bssid)
    clock.advance(2 * minute)
    await ingest.add(bssid, [readingAt(now())])
    expect((await syncTwins(db, [bssid])).online).toEqual([bssid])
    expect(await silentAt((await heardAt(bssid)) + 60 * second)).not.toContain(bssid)
    expect(await silentAt((await heardAt(bssid)) + 91 * second)).toContain(bssid)
  })

  test('reads only the devices whose check is due', async () => {
    const bssid = await activeDevice(10)
    const heard = await heardAt(bssid)
    await silentAt(heard + second)
    const isDue = sql`bssid = ${bssid} and due_at <= ${new Date(heard + 89 * second).toISOString()}::timestamptz`
    expect(await db.$count(silenceChecks, isDue)).toBe(0)
    await silentAt(heard + 91 * second)
    // Offline devices need no check.
    expect(await db.$count(silenceChecks, eq(silenceChecks.bssid, bssid))).toBe(0)
  })

  test('of more devices than a batch sets all of them offline', async () => {
    await silentAt(now() + hour, 2 * hour)
    const bssids = await Promise.all(Array.from({ length: 210 }, () => activeDevice(10)))
    expect((await silentAt(now() + 2 * minute)).toSorted()).toEqual(bssids.toSorted())
  })
})

test('upkeep sets silent devices offline and others online again, and notifies consoles and alarms', async () => {
  const bssid = await activeDevice(10)
  const record: string[] = []
  afterAll(bus.subscribe(one => one.kind === 'devices' && record.push(...one.bssids)))
  const upkeep = openUpkeep(upkeepParts)
  try {
    clock.advance(2 * minute)
    await until(() => expect(alarmCallsFor(bssid)).toContain('offline'))
    expect(await rowOf(bssid)).toMatchObject({ status: 3 })
    expect(record).toContain(bssid)
    clock.advance(second)
    await ingest.add(bssid, [readingAt(now())])
    await until(() => expect(alarmCallsFor(bssid)).toContain('online'))
    expect(await rowOf(bssid)).toMatchObject({ status: 1, feed: 1 })
  } finally {
    await upkeep.close()
  }
})

test('while the disk is full, no device is silent, and nothing is computed', async () => {
  const bssid = await activeDevice(10)
  let isFull = true
  let looks = 0
  const database = {
    ...alwaysThere,
    get isFull() {
      looks++
      return isFull
    },
  }
  let searches = 0
  const isListening = async () => (searches++, true)
  const upkeep = openUpkeep({ ...upkeepParts, database, isListening })
  try {
    clock.advance(2 * minute)
    // Each of the seven tasks that wait has looked.
    await until(() => expect(looks).toBeGreaterThan(13))
    expect(searches).toBe(0)
    isFull = false
    await until(() => expect(searches).toBeGreaterThan(0))
    expect(await rowOf(bssid)).toMatchObject({ status: 1 })
    clock.advance(2 * minute)
    await until(async () => expect(await rowOf(bssid)).toMatchObject({ status: 3 }))
  } finally {
    await upkeep.close()
  }
})

describe.each(['no server receives messages', 'no reading can be stored'])('while %s', reason => {
  test('no device is silent', async () => {
    const bssid = await activeDevice(10)
    let isWorking = false
    let looks = 0
    const look = () => (looks++, isWorking)
    const upkeep = openUpkeep(
      reason === 'no reading can be stored'
        ? { ...upkeepParts, telemetry: { ...telemetry, canStore: look } }
        : { ...upkeepParts, isListening: async () => look() },
    )
    try {
      clock.advance(2 * minute)
      await until(() => expect(looks).toBeGreaterThan(1))
      expect(await rowOf(bssid)).toMatchObject({ status: 1 })
      // Silence counts from now on.
      isWorking = true
      const before = looks
      await until(() => expect(looks).toBeGreaterThan(before))
      expect(await rowOf(bssid)).toMatchObject({ status: 1 })
      clock.advance(2 * minute)
      await until(async () => expect(await rowOf(bssid)).toMatchObject({ status: 3 }))
    } finally {
      await upkeep.close()
    }
  })
})

test('a server that is no worker syncs what it has changed, and does nothing else', async () => {
  const bssid = await activeDevice(10)
  const upkeep = openUpkeep({ ...upkeepParts, isWorker: false })
  try {
    clock.advance(2 * minute)
    const other = await newDevice(db)
    await ingest.add(other, [readingAt(now())])
    await until(async () => expect(await rowOf(other)).toMatchObject({ feed: 1 }))
    expect(await rowOf(bssid)).toMatchObject({ status: 1 })
  } finally {
    await upkeep.close()
  }
})

test('upkeep syncs at its start what a killed server has left', async () => {
  const bssid = await newDevice(db)
  // Its server forgets the device.
  const killed = openIngest({ ...parts, unsynced: openUnsynced() })
  await killed.add(bssid, [readingAt(now())])
  await killed.close()
  expect(await rowOf(bssid)).toMatchObject({ feed: 0 })
  const upkeep = openUpkeep({ ...upkeepParts, unsynced: openUnsynced() })
  try {
    await until(async () => expect(await rowOf(bssid)).toMatchObject({ feed: 1, status: 0 }))
  } finally {
    await upkeep.close()
  }
})

test('upkeep syncs what another server has left once it is killed', async () => {
  const bssid = await newDevice(db)
  // After the comparison at the start.
  const hasLostServer = async () => {
    const killed = openIngest({ ...parts, unsynced: openUnsynced() })
    await killed.add(bssid, [readingAt(now())])
    await killed.close()
    return true
  }
  const upkeep = openUpkeep({ ...upkeepParts, unsynced: openUnsynced(), hasLostServer })
  try {
    await until(async () => expect(await rowOf(bssid)).toMatchObject({ feed: 1, status: 0 }))
  } finally {
    await upkeep.close()
  }
})

test('upkeep creates the partitions of tomorrow in advance', async () => {
  clock.advance(40 * day)
  const upkeep = openUpkeep(upkeepParts)
  const names = (['readings', 'reading_ten_minutes', 'reading_hours'] as const).map(table => nameOf(table, now() + day))
  await until(async () => expect(await partitions()).toEqual(expect.arrayContaining(names)))
  await upkeep.close()
})

test('removing the telemetry of many deleted devices goes on after what others wait for', async () => {
  const done: string[] = []
  const upkeep = openUpkeep({
    ...upkeepParts,
    telemetry: {
      ...telemetry,
      prepare: async () => void done.push('prepare'),
      forgetDeleted: async (_, maxTime) => {
        expect(maxTime).toBeLessThanOrEqual(minute)
        return done.push('forget') < 6
      },
    },
  })
  try {
    await until(() => expect(done).toHaveLength(6))
    expect(done).toEqual(['prepare', 'forget', 'prepare', 'forget', 'prepare', 'forget'])
  } finally {
    await upkeep.close()
  }
})

test('one of several processes deletes old notifications', async () => {
  const prunes = () => parts.alarms.calls.filter(({ what }) => what === 'prune').length
  await db.execute(sql`delete from upkeep_tasks`)
  const before = prunes()
  const marked = await activeDevice(10)
  const several = Array.from({ length: 3 }, () => openUpkeep(upkeepParts))
  await until(() => expect(prunes()).toBe(before + 1))
  // By then each process has run all of its tasks once.
  clock.advance(2 * minute)
  await until(() => expect(alarmCallsFor(marked)).toContain('offline'))
  await Promise.all(several.map(one => one.close()))
  expect(prunes()).toBe(before + 1)
})

test('upkeep continues after a database failure, and marks no device that it could not receive as silent', async () => {
  const bssid = await activeDevice(10)
  const log: string[] = []
  let checks = 0
  const breaking = breakingDatabase(db)
  const alarms = recordingAlarms(breaking.db)
  const offline: typeof alarms.offline = async (mark, at) => {
    const marked = await alarms.offline(mark, at)
    checks++
    return marked
  }
  const record = (text: string) => log.push(text)
  const upkeep = openUpkeep({
    ...upkeepParts,
    db: breaking.db,
    alarms: { ...alarms, offline },
    log: { info: record, error: record },
  })
  try {
    breaking.isBroken = true
    clock.advance(2 * minute)
    await until(() => expect(log).toContain('Could not mark silent devices as offline'))
    const before = checks
    breaking.isBroken = false
    const other = await newDevice(db)
    await ingest.add(other, [readingAt(now())])
    await until(async () => expect(await rowOf(other)).toMatchObject({ feed: 1 }))
    await until(() => expect(checks).toBeGreaterThan(before))
    expect(await rowOf(bssid)).toMatchObject({ status: 1 })
    expect(log.filter(text => text === 'Could not mark silent devices as offline')).toHaveLength(1)
  } finally {
    await upkeep.close()
  }
})

describe('when a worker starts', () => {
  const listening = () => listeningSince(db)
  /** Lets a gateway note what it can do, a time after the last note, and returns when. */
  const note = async (period: number, canStore = true) => {
    clock.advance(period)
    const at = clock.now()
    await noteListening(db, at, canStore)
    return at.getTime()
  }

  test('silence has counted since gateways receive messages without a long interruption, and store them', async () => {
    const first = await note(hour)
    for (let times = 0; times < 5; times++) await note(minute)
    // Such as a restart of the only gateway.
    await note(maxInterruption - second)
    expect(await listening()).toBe(first)
    // The clock of another gateway is behind.
    await note(-10 * minute)
    await note(10 * minute + maxInterruption - 2 * second)
    expect(await listening()).toBe(first)
    const later = await note(maxInterruption + second)
    await note(minute)
    expect(await listening()).toBe(later)
    const latest = await note(minute, false)
    await note(second)
    expect(await listening()).toBe(latest)
    // Its clock was corrected.
    const corrected = await note(-2 * hour)
    expect(await listening()).toBe(corrected)
  })

  test('a device that was silent before is offline after 90 seconds, in place of three more report intervals', async () => {
    const bssid = await activeDevice(86_400)
    await note(second)
    clock.advance(4 * day)
    const upkeep = openUpkeep(upkeepParts)
    try {
      clock.advance(minute)
      // By then it has looked.
      const other = await newDevice(db)
      await ingest.add(other, [readingAt(now())])
      await until(async () => expect(await rowOf(other)).toMatchObject({ status: 0, feed: 1 }))
      expect(await rowOf(bssid)).toMatchObject({ status: 1 })
      clock.advance(minute)
      await until(async () => expect(await rowOf(bssid)).toMatchObject({ status: 3 }))
    } finally {
      await upkeep.close()
    }
  })

  test('gateways have noted that they receive messages', async () => {
    clock.advance(hour)
    const before = now()
    const upkeep = openUpkeep({ ...upkeepParts, isGateway: true, isWorker: false })
    try {
      await until(async () => expect(await listening()).toBeGreaterThanOrEqual(before))
    } finally {
      await upkeep.close()
    }
  })
})

test('silence counts although another task fails again and again', async () => {
  const bssid = await activeDevice(10)
  const log: string[] = []
  const record = (text: string) => log.push(text)
  let failures = 0
  const sweep = async () => {
    failures++
    throw new Error('broken')
  }
  const upkeep = openUpkeep({
    ...upkeepParts,
    alarms: { ...parts.alarms, sweep },
    log: { info: record, error: record },
  })
  try {
    await until(() => expect(failures).toBeGreaterThan(0))
    clock.advance(2 * minute)
    // The next failure is as soon as the next look for silent devices.
    await until(() => expect(failures).toBeGreaterThan(1))
    await until(async () => expect(await rowOf(bssid)).toMatchObject({ status: 3 }))
    expect(log).toContain('Could not evaluate time-based alarms')
  } finally {
    await upkeep.close()
  }
})

test('a silent device is marked only together with its notification, also when a server dies between the two', async () => {
  const bssid = await activeDevice(10)
  const told = () => db.$count(notifications, eq(notifications.bssid, bssid))
  await db.execute(sql`create function refuse() returns trigger language plpgsql as $$ begin raise 'killed'; end $$`)
  // Only of this device, because after a failure of this task silence is counted anew.
  await db.execute(sql`create trigger killed before insert on device_alarms for each row
    when (new.bssid = ${sql.raw(`'${bssid}'`)}) execute function refuse()`)
  const log: string[] = []
  const record = (text: string) => log.push(text)
  const newUpkeep = () => {
    const alarms = openAlarms({ db, telemetry, bus, log: parts.log, now: clock.now })
    return openUpkeep({ ...upkeepParts, alarms, log: { info: record, error: record } })
  }
  const killed = newUpkeep()
  // A server hears nothing before its start.
  clock.advance(2 * minute)
  await until(() => expect(log).toContain('Could not mark silent devices as offline'))
  await killed.close()
  await db.execute(sql`drop function refuse cascade`)
  expect([(await rowOf(bssid)).status, await told()]).toEqual([1, 0])
  const next = newUpkeep()
  clock.advance(2 * minute)
  await until(async () => expect([(await rowOf(bssid)).status, await told()]).toEqual([3, 1]))
  await next.close()
})

const rollup = (bssid: string, at: number): Rollup => ({
  bssid,
  at,
  readings: 1,
  feed: 3,
  permeate: 1,
  production_sum: 0,
  production_count: 0,
  feed_tds_sum: 300,
  feed_tds_count: 1,
  permeate_tds_sum: 30,
  permeate_tds_count: 1,
  pressure_sum: 4,
  pressure_count: 1,
  temperature_sum: 10,
  temperature_count: 1,
  flow_at: null,
  last_feed_flow: null,
  last_permeate_flow: null,
})
const kept = { rawDays: 30, tenMinuteDays: 365 }
const partitions = async () => {
  const { rows } = await db.execute<{ name: string }>(sql`select inhrelid::regclass::text as name from pg_inherits`)
  return rows.map(({ name }) => name)
}
const nameOf = (table: PartitionedTable, at: number) => partitionOf(table, dayNumber(at))

describe('retention', () => {
  test('raw readings are dropped by day once all of them are too old', async () => {
    const bssid = await newDevice(db)
    const old = now() - 29 * day
    await ingest.add(bssid, [readingAt(old), readingAt(now())])
    expect(await partitions()).toContain(nameOf('readings', old))
    clock.advance(2 * day)
    await telemetry.retain(now(), kept, never)
    expect(await partitions()).not.toContain(nameOf('readings', old))
    expect(await db.$count(readings, eq(readings.bssid, bssid))).toBe(1)
    // A process with another clock may still store a reading of a dropped partition.
    clock.advance(-2 * day)
    await ingest.add(bssid, [readingAt(old + 1)])
    expect(await db.$count(readings, eq(readings.bssid, bssid))).toBe(2)
    // The hours are kept forever: that day was summed before it was dropped.
    expect(await db.$count(readingHours, eq(readingHours.bssid, bssid))).toBe(2)
  })

  test('ten-minute rollups are dropped by week once all of it is a year old, and those of hours are kept', async () => {
    const [one, other] = [await newDevice(db), await newDevice(db)]
    const week = 7 * day
    /** The start of the week in which the year begins: all of it is kept. */
    const cut = Math.floor((now() - 365 * day) / week) * week
    const old = [rollup(one, cut - week), rollup(one, cut - 10 * minute), rollup(other, cut - 10 * minute)]
    const young = [rollup(one, cut), rollup(other, cut + week)]
    await writeRollups(db, 'ten minutes', [...old, ...young])
    await writeRollups(db, 'hour', [rollup(one, cut - 400 * day)])
    await telemetry.retain(now(), kept, never)
    const left = await db.select({ at: readingTenMinutes.at }).from(readingTenMinutes).orderBy(readingTenMinutes.at)
    expect(left.map(({ at }) => at.getTime()).filter(at => at < now() - 300 * day)).toEqual([cut, cut + week])
    const found = await partitions()
    expect(found).toContain(nameOf('reading_ten_minutes', cut))
    expect(found).not.toContain(nameOf('reading_ten_minutes', cut - day))
    expect(await db.$count(readingHours, eq(readingHours.bssid, one))).toBe(1)
  })

  test('readings are summed although the ten-minute rollups of their time were dropped before they came', async () => {
    const bssid = await newDevice(db)
    const old = now() - 25 * day
    await ingest.add(bssid, [readingAt(old)])
    await telemetry.retain(now(), { rawDays: 30, tenMinuteDays: 10 }, never)
    expect(await db.$count(readingTenMinutes, eq(readingTenMinutes.bssid, bssid))).toBe(0)
    // One reading is late for the sums, the other device has not been summed yet.
    const other = await newDevice(db)
    await ingest.add(bssid, [readingAt(old + 1)])
    await ingest.add(other, [readingAt(old)])
    await openPartitions(db).dropBefore('reading_ten_minutes', now() - 10 * day)
    await telemetry.retain(now(), kept, never)
    const litres = await db
      .select({ bssid: readingHours.bssid, feed: readingHours.feed })
      .from(readingHours)
      .where(inArray(readingHours.bssid, [bssid, other]))
      .orderBy(readingHours.feed)
    expect(litres).toEqual([
      { bssid: other, feed: 1 },
      { bssid, feed: 2 },
    ])
  })
})

describe('a deleted device', () => {
  const remove = (bssid: string) => call('DELETE', '/api/v3/devices', { ids: [bssid] })
  const left = async (bssid: string) => {
    const tables = [
      'readings',
      'reading_ten_minutes',
      'reading_hours',
      'reading_days',
      'health_days',
      'forgotten_devices',
    ]
    const counts = tables.map(
      table => sql`(select count(*)::integer from ${sql.identifier(table)} where bssid = ${bssid})`,
    )
    const { rows } = await db.execute<Record<string, number>>(
      sql`select ${sql.join(
        counts.map((count, at) => sql`${count} as ${sql.identifier(tables[at]!)}`),
        sql`, `,
      )}`,
    )
    return rows[0]!
  }
  const withReadings = async () => {
    const bssid = await newDevice(db)
    await ingest.add(
      bssid,
      Array.from({ length: 60 }, (_, at) => readingAt(now() - 3 * day + at * hour)),
    )
    await call('GET', `/api/v3/devices/${bssid}?range=year`)
    return bssid
  }

  test('leaves no data, and other devices keep theirs', async () => {
    const [bssid, other] = [await withReadings(), await withReadings()]
    const before = await left(other)
    expect((await left(bssid)).reading_days).toBeGreaterThan(0)
    expect((await left(bssid)).health_days).toBeGreaterThan(0)
    await remove(bssid)
    expect(await left(bssid)).toMatchObject({ readings: 60, forgotten_devices: 1 })
    expect(await deleteOrphanedTelemetry(db, never, 0)).toBe(true)
    expect(await deleteOrphanedTelemetry(db, never)).toBe(false)
    expect(Object.values(await left(bssid))).toEqual([0, 0, 0, 0, 0, 0])
    expect(await left(other)).toEqual(before)
  })

  test('that is created again at once has no history', async () => {
    const bssid = await withReadings()
    const { platform, model_id, vendor_id } = await rowOf(bssid)
    await remove(bssid)
    await db.insert(devices).values({ bssid, platform, model_id, vendor_id })
    expect(Object.values(await left(bssid))).toEqual([0, 0, 0, 0, 0, 0])
    await ingest.add(bssid, [readingAt(now())])
    await deleteOrphanedTelemetry(db, never)
    const { points } = (await call<DeviceDetail>('GET', `/api/v3/devices/${bssid}?range=year`)).statistics
    expect(points.filter(({ feed }) => feed !== null).map(({ feed }) => feed)).toEqual([1])
    expect(await db.$count(forgottenDevices)).toBe(0)
  })
})

test('a new device is offline until its first message', async () => {
  const bssid = await newDevice(db)
  expect(await twinOf(bssid)).toMatchObject({ heard_at: null, reading_at: null, feed: 0 })
  expect(await silentAt(now() + hour)).not.toContain(bssid)
  await ingest.add(bssid, [readingAt(now())])
  expect((await syncTwins(db, [bssid])).online).toEqual([bssid])
  expect(await rowOf(bssid)).toMatchObject({ status: 0 })
})
