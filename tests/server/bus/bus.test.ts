/** Telling within a process, and how it is written down for others. On the embedded database there are none. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { localBus, type BusEvent } from '../../../server/bus/bus.ts'
import { maxPayloadBytes, payloadsOf, readPayload } from '../../../server/bus/payloads.ts'
import { until } from '../../support/until.ts'
import { changed, openHeard } from '../support/buses.ts'
import { startServer } from '../support/harness.ts'

const { databaseUrl } = await startServer()

const open = () => openHeard(databaseUrl)

test('this process hears what it tells at once, and once', async () => {
  const { bus, heard } = await open()
  bus.publish(changed('A'))
  expect(heard).toEqual([changed('A')])
  bus.publish(changed('B'))
  if (databaseUrl !== undefined) {
    // By the time that another has heard the second, the first would have come back.
    const other = await open()
    bus.publish(changed('C'))
    // B can still be on its way through the database when the second bus subscribes.
    await until(() => expect(other.heard).toContainEqual(changed('C')))
  }
  expect(heard.slice(0, 2)).toEqual([changed('A'), changed('B')])
  expect(heard.length).toBeLessThanOrEqual(3)
})

test('who has stopped hearing hears no more', () => {
  const bus = localBus()
  const heard: BusEvent[] = []
  const stop = bus.subscribe(told => heard.push(told))
  bus.publish(changed('A'))
  stop()
  bus.publish(changed('B'))
  expect(heard).toEqual([changed('A')])
})

describe('payloads', () => {
  const text = fc.string({ unit: 'binary', maxLength: 80 }).map(each => each.toWellFormed())
  const told: fc.Arbitrary<BusEvent> = fc.oneof(
    fc.array(text, { maxLength: 400 }).map((bssids): BusEvent => ({ kind: 'devices', bssids })),
    fc.array(text, { maxLength: 400 }).map((ids): BusEvent => ({ kind: 'notifications', ids })),
    fc.array(text, { maxLength: 4 }).map((names): BusEvent => ({ kind: 'resources', names })),
    fc.array(text, { maxLength: 400 }).map((bssids): BusEvent => ({ kind: 'deleted', bssids })),
    fc.array(text, { maxLength: 400 }).map((vendors): BusEvent => ({ kind: 'events', vendors })),
    fc.array(text, { maxLength: 400 }).map((seen): BusEvent => ({ kind: 'seen', accounts: seen })),
    fc.array(text, { maxLength: 400 }).map((bssids): BusEvent => ({ kind: 'alarms', bssids })),
    fc
      .array(fc.record({ id: text, reason: fc.option(text) }), { maxLength: 200 })
      .map((ended): BusEvent => ({ kind: 'commands', ended })),
    fc.constant<BusEvent>({ kind: 'missed' }),
  )
  /** Everything that is told, without how it was put together. */
  const all = (some: readonly (BusEvent | undefined)[]) =>
    new Set(
      some.flatMap(one => {
        if (one?.kind === 'devices' || one?.kind === 'deleted' || one?.kind === 'alarms')
          return one.bssids.map(bssid => `${one.kind} ${bssid}`)
        if (one?.kind === 'notifications') return one.ids.map(id => `notification ${id}`)
        if (one?.kind === 'resources') return one.names.map(name => `resource ${name}`)
        if (one?.kind === 'events') return one.vendors.map(vendor => `events of ${vendor}`)
        if (one?.kind === 'seen') return one.accounts.map(account => `seen by ${account}`)
        if (one?.kind === 'commands') return one.ended.map(({ id }) => `command ${id}`)
        return [one?.kind]
      }),
    )

  test('law: all that is told is in them, and each fits', () => {
    fc.assert(
      fc.property(fc.array(told, { maxLength: 12 }), some => {
        const { payloads, tooLong } = payloadsOf(some)
        expect(tooLong).toBe(0)
        for (const payload of payloads) expect(Buffer.byteLength(payload)).toBeLessThanOrEqual(maxPayloadBytes)
        expect(all(payloads.map(readPayload))).toEqual(all(some))
      }),
      { numRuns: 60 },
    )
  })

  test('of a call’s progress only the last is told', () => {
    const at = (done: number, id = 'p'): BusEvent => ({ kind: 'progress', account: 'a', id, done, failed: 0, total: 9 })
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
