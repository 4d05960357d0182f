/** The bus within a process, and its payloads for other processes, which exist only with DATABASE_URL. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { localBus, type BusEvent } from '../../../server/bus/bus.ts'
import { maxNotifyBytes } from '../../../server/bus/notify.ts'
import { payloadsOf, readPayload } from '../../../server/bus/payloads.ts'
import { until } from '../../support/until.ts'
import { changed, openRecordedBus } from '../support/buses/buses.ts'
import { startServer } from '../support/harness.ts'

const { databaseUrl } = await startServer()

const open = () => openRecordedBus(databaseUrl)

test('a process receives its own events synchronously and once', async () => {
  const { bus, received } = await open()
  bus.publish(changed('A'))
  expect(received).toEqual([changed('A')])
  bus.publish(changed('B'))
  // When another process has received C, B would have come back from the database.
  const other = await open()
  bus.publish(changed('C'))
  // The second bus may also receive B, which may be delivered after it subscribed, alone or in one event with C.
  const bssids = () => other.received.flatMap(event => (event.kind === 'devices' ? event.bssids : []))
  await until(() => expect(bssids()).toContain('C'))
  expect(received.slice(0, 2)).toEqual([changed('A'), changed('B')])
  expect(received.length).toBeLessThanOrEqual(3)
})

test('an unsubscribed listener gets no more events', () => {
  const bus = localBus()
  const received: BusEvent[] = []
  const stop = bus.subscribe(event => received.push(event))
  bus.publish(changed('A'))
  stop()
  bus.publish(changed('B'))
  expect(received).toEqual([changed('A')])
})

describe('payloads', () => {
  const text = fc.string({ unit: 'binary', maxLength: 80 }).map(each => each.toWellFormed())
  const event: fc.Arbitrary<BusEvent> = fc.oneof(
    fc.array(text, { maxLength: 400 }).map((bssids): BusEvent => ({ kind: 'devices', bssids })),
    fc.array(text, { maxLength: 400 }).map((ids): BusEvent => ({ kind: 'notifications', ids })),
    fc.array(text, { maxLength: 4 }).map((names): BusEvent => ({ kind: 'resources', names })),
    fc.array(text, { maxLength: 400 }).map((bssids): BusEvent => ({ kind: 'deleted', bssids })),
    fc.array(text, { maxLength: 400 }).map((bssids): BusEvent => ({ kind: 'credentials', bssids })),
    fc
      .array(fc.record({ resource: text, vendor: fc.option(text) }), { maxLength: 400 })
      .map((changes): BusEvent => ({ kind: 'vendorResources', changes })),
    fc.array(text, { maxLength: 400 }).map((seen): BusEvent => ({ kind: 'seen', accounts: seen })),
    fc.array(text, { maxLength: 400 }).map((bssids): BusEvent => ({ kind: 'alarms', bssids })),
    fc
      .array(fc.record({ id: text, reason: fc.option(text), isUnanswered: fc.boolean() }), { maxLength: 200 })
      .map((ended): BusEvent => ({ kind: 'commands', ended })),
    text.map((id): BusEvent => ({ kind: 'server', id })),
    fc.constant<BusEvent>({ kind: 'missed' }),
  )
  /** Returns the contents of events, regardless of how they were combined. */
  const all = (some: readonly (BusEvent | undefined)[]) =>
    new Set(
      some.flatMap(one => {
        if (one !== undefined && 'bssids' in one) return one.bssids.map(bssid => `${one.kind} ${bssid}`)
        if (one?.kind === 'notifications') return one.ids.map(id => `notification ${id}`)
        if (one?.kind === 'resources') return one.names.map(name => `resource ${name}`)
        if (one?.kind === 'vendorResources') return one.changes.map(change => `changed ${JSON.stringify(change)}`)
        if (one?.kind === 'seen') return one.accounts.map(account => `seen by ${account}`)
        if (one?.kind === 'server') return [`server ${one.id}`]
        if (one?.kind === 'commands') return one.ended.map(({ id }) => `command ${id}`)
        return [one?.kind]
      }),
    )

  test('law: contain all events, and each is within the maximum size', () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 12 }), fc.constantFrom(maxNotifyBytes, 65_536), (some, maxBytes) => {
        const { payloads, tooLong } = payloadsOf(some, maxBytes)
        expect(tooLong).toBe(0)
        for (const payload of payloads) expect(Buffer.byteLength(payload)).toBeLessThanOrEqual(maxBytes)
        expect(all(payloads.map(readPayload))).toEqual(all(some))
      }),
      { numRuns: 60 },
    )
  })

  test('contain only the last progress of a call', () => {
    const at = (done: number, id = 'p'): BusEvent => ({
      kind: 'progress',
      account: 'a',
      vendor: null,
      id,
      done,
      failed: 0,
      total: 9,
    })
    expect(payloadsOf([at(1), at(1, 'q'), at(2)], maxNotifyBytes).payloads.map(readPayload)).toEqual([
      at(2),
      at(1, 'q'),
    ])
  })

  test('leave out and count what is too long, and contain the rest', () => {
    const { payloads, tooLong } = payloadsOf([changed('A', 'x'.repeat(8000), 'B')], maxNotifyBytes)
    expect(tooLong).toBe(1)
    expect(all(payloads.map(readPayload))).toEqual(all([changed('A', 'B')]))
  })

  test('from other programs on the channel are ignored', () => {
    for (const payload of ['', 'nonsense', '{}', '{"kind":"devices"}', '[]'])
      expect(readPayload(payload)).toBeUndefined()
  })
})
