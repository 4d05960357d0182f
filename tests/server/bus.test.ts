/** Telling between processes: each bus here is one of them. On the embedded database there is only one. */
import fc from 'fast-check'
import { Client } from 'pg'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { localBus, type Bus, type Told } from '../../server/live/bus.ts'
import { openBus } from '../../server/live/openBus.ts'
import { mostPayloadBytes, payloadsOf, readPayload } from '../../server/live/payloads.ts'
import { startServer } from './harness.ts'

const { databaseUrl } = await startServer()

async function open(url = databaseUrl) {
  const log: string[] = []
  const bus = await openBus(
    { databaseUrl: url },
    { info: text => log.push(text), error: (text, error) => log.push(`${text}: ${String(error)}`) },
  )
  onTestFinished(() => bus.close())
  return { bus, heard: heardBy(bus), log }
}

function heardBy(bus: Bus): Told[] {
  const heard: Told[] = []
  bus.hear(told => heard.push(told))
  return heard
}

const changed = (...bssids: string[]): Told => ({ kind: 'devices', bssids })

test('this process hears what it tells at once, and once', async () => {
  const { bus, heard } = await open()
  bus.tell(changed('A'))
  expect(heard).toEqual([changed('A')])
  bus.tell(changed('B'))
  if (databaseUrl !== undefined) {
    // By the time that another has heard the second, the first would have come back.
    const other = await open()
    bus.tell(changed('C'))
    await vi.waitFor(() => expect(other.heard).toEqual([changed('C')]))
  }
  expect(heard.slice(0, 2)).toEqual([changed('A'), changed('B')])
  expect(heard.length).toBeLessThanOrEqual(3)
})

test('who has stopped hearing hears no more', () => {
  const bus = localBus()
  const heard: Told[] = []
  const stop = bus.hear(told => heard.push(told))
  bus.tell(changed('A'))
  stop()
  bus.tell(changed('B'))
  expect(heard).toEqual([changed('A')])
})

describe.runIf(databaseUrl !== undefined)('on PostgreSQL', () => {
  test('others hear it, whatever it is', async () => {
    const [one, two] = [await open(), await open()]
    const told: Told[] = [
      changed('A4:1C:09:7E:33:0B'),
      { kind: 'notifications', ids: ['n1'] },
      { kind: 'resources', names: ['vendors'] },
      { kind: 'commands', ended: [{ id: 'c1', reason: 'Gerät “ist” weg' }] },
      { kind: 'progress', account: 'a', id: 'p', done: 1, failed: 2, total: 3 },
    ]
    for (const each of told) one.bus.tell(each)
    await vi.waitFor(() => expect(two.heard).toHaveLength(told.length))
    expect(two.heard).toEqual(expect.arrayContaining(told))
    expect(one.heard).toEqual(told)
  })

  test('10,000 devices arrive in messages that fit, each device once', async () => {
    const [one, two] = [await open(), await open()]
    const bssids = Array.from({ length: 10_000 }, (_, at) => `A4:1C:09:7E:${String(at).padStart(5, '0')}`)
    for (const bssid of bssids) one.bus.tell(changed(bssid, bssid))
    const arrived = () => two.heard.flatMap(told => (told.kind === 'devices' ? told.bssids : []))
    await vi.waitFor(() => expect(arrived()).toHaveLength(bssids.length))
    expect(arrived().toSorted()).toEqual(bssids)
    // A message holds some 400 of them: they were joined.
    expect(two.heard.length).toBeLessThan(100)
  })

  test('a connection that breaks is made again, and both sides learn that they may have missed something', async () => {
    const [one, two] = [await open(), await open()]
    const killer = new Client({ connectionString: databaseUrl })
    await killer.connect()
    onTestFinished(() => killer.end())
    const { rowCount } = await killer.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and query = 'listen permeate' and backend_start =
         (select max(backend_start) from pg_stat_activity
          where datname = current_database() and query = 'listen permeate')`,
    )
    expect(rowCount).toBe(1)
    await vi.waitFor(() => expect(two.log.join()).toContain('broke'))
    two.bus.tell(changed('Told to nobody'))
    await vi.waitFor(() => expect(two.heard).toContainEqual({ kind: 'missed' }), 10_000)
    await vi.waitFor(() => expect(one.heard).toContainEqual({ kind: 'missed' }))
    expect(one.log).toEqual([])

    two.bus.tell(changed('B'))
    await vi.waitFor(() => expect(one.heard).toContainEqual(changed('B')))
    one.bus.tell(changed('A'))
    await vi.waitFor(() => expect(two.heard).toContainEqual(changed('A')))
    expect(one.heard).not.toContainEqual(changed('Told to nobody'))
  })

  test('what was told last is still sent when it closes', async () => {
    const [one, two] = [await open(), await open()]
    one.bus.tell(changed('A'))
    await one.bus.close()
    await vi.waitFor(() => expect(two.heard).toEqual([changed('A')]))
  })

  test('a database that does not answer is told at once', async () => {
    const gone = new URL(databaseUrl!)
    gone.port = '1'
    await expect(
      openBus({ databaseUrl: gone.href }, { info: () => undefined, error: () => undefined }),
    ).rejects.toThrow(/ECONNREFUSED/)
  })
})

describe('payloads', () => {
  const text = fc.string({ unit: 'binary', maxLength: 80 }).map(each => each.toWellFormed())
  const told: fc.Arbitrary<Told> = fc.oneof(
    fc.array(text, { maxLength: 400 }).map((bssids): Told => ({ kind: 'devices', bssids })),
    fc.array(text, { maxLength: 400 }).map((ids): Told => ({ kind: 'notifications', ids })),
    fc.array(text, { maxLength: 4 }).map((names): Told => ({ kind: 'resources', names })),
    fc.array(text, { maxLength: 400 }).map((bssids): Told => ({ kind: 'deleted', bssids })),
    fc.array(text, { maxLength: 400 }).map((bssids): Told => ({ kind: 'alarms', bssids })),
    fc
      .array(fc.record({ id: text, reason: fc.option(text) }), { maxLength: 200 })
      .map((ended): Told => ({ kind: 'commands', ended })),
    fc.constant<Told>({ kind: 'missed' }),
  )
  /** Everything that is told, without how it was put together. */
  const all = (some: readonly (Told | undefined)[]) =>
    new Set(
      some.flatMap(one => {
        if (one?.kind === 'devices' || one?.kind === 'deleted' || one?.kind === 'alarms')
          return one.bssids.map(bssid => `${one.kind} ${bssid}`)
        if (one?.kind === 'notifications') return one.ids.map(id => `notification ${id}`)
        if (one?.kind === 'resources') return one.names.map(name => `resource ${name}`)
        if (one?.kind === 'commands') return one.ended.map(({ id }) => `command ${id}`)
        return [one?.kind]
      }),
    )

  test('law: all that is told is in them, and each fits', () => {
    fc.assert(
      fc.property(fc.array(told, { maxLength: 12 }), some => {
        const { payloads, tooLong } = payloadsOf(some)
        expect(tooLong).toBe(0)
        for (const payload of payloads) expect(Buffer.byteLength(payload)).toBeLessThanOrEqual(mostPayloadBytes)
        expect(all(payloads.map(readPayload))).toEqual(all(some))
      }),
      { numRuns: 60 },
    )
  })

  test('of a call’s progress only the last is told', () => {
    const at = (done: number, id = 'p'): Told => ({ kind: 'progress', account: 'a', id, done, failed: 0, total: 9 })
    expect(payloadsOf([at(1), at(1, 'q'), at(2)]).payloads.map(readPayload)).toEqual([at(2), at(1, 'q')])
  })

  test('what cannot fit is counted, and the rest told', () => {
    const { payloads, tooLong } = payloadsOf([changed('A', 'x'.repeat(8000), 'B')])
    expect(tooLong).toBe(1)
    expect(all(payloads.map(readPayload))).toEqual(all([changed('A', 'B')]))
  })

  test('what others put on the channel is none', () => {
    for (const payload of ['', 'nonsense', '{}', '{"kind":"devices"}', '[]'])
      expect(readPayload(payload)).toBeUndefined()
  })
})
