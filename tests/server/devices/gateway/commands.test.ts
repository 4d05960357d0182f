/** Commands over MQTT, on either broker: each ends in exactly one state. */
import { desc, eq, like } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { deviceCommands } from '../../../../server/db/schema/wire.ts'
import { openCommandLink } from '../../../../server/devices/gateway/commandLink.ts'
import { acknowledgementTimeout } from '../../../../server/devices/link.ts'
import type { BusEvent } from '../../../../server/bus/bus.ts'
import { brokers, startGateways } from '../../support/devices/gatewayHarness.ts'
import { until } from '../../../support/until.ts'

describe.each(brokers)('on the %s broker', async broker => {
  const tests = await startGateways(broker)
  const { db, bus, clock } = tests.server
  let next = 0
  /** Returns the next device, so that tests use different ones. */
  const anyDevice = () => tests.bssids[next++ % tests.bssids.length]!
  const close = { type: 'valve', closed: true } as const

  const newest = async (bssid: string) => {
    const [row] = await db
      .select()
      .from(deviceCommands)
      .where(eq(deviceCommands.bssid, bssid))
      .orderBy(desc(deviceCommands.created_at))
    return row
  }
  const endings = () => {
    const ended: { readonly id: string; readonly reason: string | null }[] = []
    const listen = (event: BusEvent) => {
      if (event.kind === 'commands') ended.push(...event.ended)
    }
    return { ended, stop: bus.subscribe(listen) }
  }

  test('an acknowledged command is done', async () => {
    const { link } = await tests.open()
    const device = await tests.device(anyDevice())
    expect(await link.send(device.bssid, close)).toEqual({ ok: true })
    expect(device.executed).toMatchObject([{ command: close }])
    expect(await newest(device.bssid)).toMatchObject({ state: 'done', reason: null, command: close })
  })

  test('a refused command has the device’s reason', async () => {
    const { link } = await tests.open()
    const reason = 'The device is drawing water'
    const device = await tests.device(anyDevice(), { answer: () => ({ ok: false, reason }) })
    expect(await link.send(device.bssid, close)).toEqual({ ok: false, reason })
    expect(await newest(device.bssid)).toMatchObject({ state: 'refused', reason })
  })

  test('a command without an answer ends after ten seconds, and a later answer changes nothing', async () => {
    const { link } = await tests.open()
    const device = await tests.device(anyDevice(), { answer: () => undefined })
    const begun = performance.now()
    const reason = 'Device did not answer within 10 seconds'
    expect(await link.send(device.bssid, close)).toEqual({ ok: false, reason, isUnanswered: true })
    expect(performance.now() - begun).toBeGreaterThanOrEqual(acknowledgementTimeout - 50)
    expect(await newest(device.bssid)).toMatchObject({ state: 'unanswered', reason })

    await device.publish('ack', { id: device.executed[0]!.id, ok: true })
    // Answers arrive in order, so once this one has arrived the first has as well.
    await device.publish('ack', { id: await sentTo(device.bssid), ok: true })
    await until(async () => expect(await newest(device.bssid)).toMatchObject({ state: 'done' }))
    const [first] = await db.select().from(deviceCommands).where(eq(deviceCommands.id, device.executed[0]!.id))
    expect(first).toMatchObject({ state: 'unanswered', reason })
  })

  test.each([
    ['null', null, 'Refused by the device'],
    ['empty', ' ', 'Refused by the device'],
    ['longer than what is stored', 'Water. '.repeat(100), expect.stringMatching(/^(Water\. ){28}Wat…$/)],
  ])('an answer counts although its reason is %s', async (_, sent, stored) => {
    await tests.open()
    const device = await tests.device(anyDevice())
    await device.publish('ack', { id: await sentTo(device.bssid), ok: false, reason: sent })
    await until(async () => expect(await newest(device.bssid)).toMatchObject({ state: 'refused' }))
    expect((await newest(device.bssid))!.reason).toEqual(stored)
  })

  /** Inserts a command that another process waits for, and returns its id. */
  const sentTo = async (bssid: string) => {
    const at = clock.now()
    const id = `other-${at.getTime()}-${next++}`
    const expires_at = new Date(at.getTime() + 60_000)
    await db.insert(deviceCommands).values({ id, bssid, command: close, created_at: at, expires_at })
    return id
  }

  test('a repeated answer counts once, and another device cannot answer', async () => {
    const { link } = await tests.open()
    const stranger = await tests.device(anyDevice())
    const device = await tests.device(anyDevice(), { answer: () => undefined })
    const { ended, stop } = endings()
    const answer = link.send(device.bssid, close)
    await until(() => expect(device.received).toHaveLength(1))
    const [{ id } = { id: '' }] = device.received
    await stranger.publish('ack', { id, ok: false, reason: 'I am another' })
    // Messages of one connection arrive in order.
    const marker = await sentTo(stranger.bssid)
    await stranger.publish('ack', { id: marker, ok: true })
    await until(() => expect(ended.map(each => each.id)).toContain(marker))

    await device.publish('ack', { id, ok: true })
    await device.publish('ack', { id, ok: false, reason: 'No' })
    expect(await answer).toEqual({ ok: true })
    const last = await sentTo(device.bssid)
    await device.publish('ack', { id: last, ok: true })
    await until(() => expect(ended.map(each => each.id)).toContain(last))
    expect(ended.filter(each => each.id === id)).toEqual([{ id, reason: null, isUnanswered: false }])
    stop()
  })

  test('an answer that arrives together with one of another device counts', async () => {
    const link = openCommandLink({
      ...tests.server,
      log: { info: () => undefined, error: () => undefined },
      send: async () => undefined,
      now: clock.now,
    })
    const [stranger, bssid] = [anyDevice(), anyDevice()]
    const id = await sentTo(bssid)
    await Promise.all([
      link.acknowledge(stranger, { id, ok: false, reason: 'I am another' }),
      link.acknowledge(bssid, { id, ok: true }),
    ])
    await link.close()
    expect(await newest(bssid)).toMatchObject({ id, state: 'done', reason: null })
  })

  test('an answer after a server restart ends the command, which is executed once', async () => {
    const first = await tests.open()
    const device = await tests.device(anyDevice(), { answer: () => undefined, reconnectPeriod: 50 })
    const answer = first.link.send(device.bssid, close)
    await until(() => expect(device.received).toHaveLength(1))
    await first.close()
    expect(await answer).toEqual({ ok: false, reason: 'The server is stopping', isUnanswered: true })
    expect(await newest(device.bssid)).toMatchObject({ state: 'sent' })

    await tests.open()
    await device.publish('ack', { id: device.received[0]!.id, ok: true })
    await until(async () => expect(await newest(device.bssid)).toMatchObject({ state: 'done', reason: null }))
    // Before the answer arrives, the broker may deliver the command again with the same id, which is not executed again.
    expect(device.executed).toHaveLength(1)
  })

  test('without an answer after a server restart a command ends unanswered, and an event is published', async () => {
    const first = await tests.open()
    const device = await tests.device(anyDevice(), { answer: () => undefined, reconnectPeriod: 50 })
    const answer = first.link.send(device.bssid, close)
    await until(() => expect(device.received).toHaveLength(1))
    await first.close()
    await answer

    const { ended, stop } = endings()
    clock.advance(60_000)
    await tests.open()
    await until(async () => expect(await newest(device.bssid)).toMatchObject({ state: 'unanswered' }))
    expect(ended).toMatchObject([{ id: device.received[0]!.id, reason: 'Device did not answer within 10 seconds' }])
    expect(device.received).toHaveLength(1)
    stop()
  })

  test('concurrent commands end separately for devices that answer and devices that do not', async () => {
    const { link } = await tests.open({ timeout: 1000 })
    const bssids = tests.bssids.slice(0, 10)
    const silent = new Set(bssids.slice(5))
    await Promise.all(
      bssids.map(bssid => tests.device(bssid, { answer: () => (silent.has(bssid) ? undefined : { ok: true }) })),
    )
    const sent = bssids.flatMap(bssid => Array.from({ length: 20 }, () => bssid))
    const answers = await Promise.all(sent.map(bssid => link.send(bssid, { type: 'flush' })))
    for (const [at, bssid] of sent.entries()) expect(answers[at]!.ok).toBe(!silent.has(bssid))
  })

  test('commands are kept for 90 days', async () => {
    const day = 86_400_000
    const bssid = anyDevice()
    const sentAt = (days: number) => {
      const created_at = new Date(clock.now().getTime() - days * day)
      return {
        id: `${days} days ago`,
        bssid,
        command: close,
        state: 'done' as const,
        created_at,
        expires_at: created_at,
      }
    }
    await db.insert(deviceCommands).values([89, 91, 300].map(sentAt))
    await tests.open()
    const old = like(deviceCommands.id, '% days ago')
    await until(async () =>
      expect(await db.select().from(deviceCommands).where(old)).toMatchObject([{ id: '89 days ago' }]),
    )
    await db.delete(deviceCommands).where(old)
  })

  test('a command to a device that does not exist fails', async () => {
    const { link } = await tests.open()
    expect(await link.send('02:00:00:00:00:01', close)).toEqual({
      ok: false,
      reason: 'Device not found',
      isUnanswered: true,
    })
  })
})
