/** Gateways at one Mosquitto hand on messages over NATS, so that one of them stores all of a device's. */
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { openPost, type Delivery, type Post } from '../../../../server/bus/post.ts'
import type { AlarmEvaluator } from '../../../../server/devices/alarms/alarmEvaluator.ts'
import { openIngest, type Ingest } from '../../../../server/devices/ingest/readings.ts'
import { rendezvous } from '../../../../server/servers/rendezvous.ts'
import { until } from '../../../support/until.ts'
import { startGateways, type OpenGateway } from '../../support/devices/gatewayHarness.ts'
import { startNats } from '../../support/buses/nats.ts'
import { testParts } from '../../support/devices/readingSamples.ts'
import { reading, type TestDevice } from '../../support/devices/testDevice.ts'

const tests = await startGateways('mosquitto')
const nats = await startNats()
const { clock, databaseUrl } = tests.server
const [one] = tests.bssids as [string]
beforeEach(() => {
  tests.readings.length = 0
  tests.states.length = 0
})

async function openTestPost(timeout?: number): Promise<Post> {
  const post = await openPost({ databaseUrl, natsUrl: nats.url, ...(timeout !== undefined && { timeout }) })
  onTestFinished(post.close)
  return post
}

interface Handing {
  readonly ownerOf: (bssid: string) => string
  readonly timeout?: number
  /** Called before a message is sent to another gateway. */
  readonly onSend?: () => void
  readonly ingest?: Ingest
}

/**
 * Opens a gateway that hands on messages, and records the topics of these and what became of them. Messages of earlier tests
 * are among them if their acknowledgement was lost when a gateway closed.
 */
async function openHanding(id: string, { ownerOf, timeout, onSend, ingest }: Handing) {
  const post = await openTestPost(timeout)
  const topics: string[] = []
  const deliveries: Delivery[] = []
  const send: Post['send'] = async (name, letter) => {
    onSend?.()
    topics.push(textOf(letter).split(' ')[0]!)
    const delivery = await post.send(name, letter)
    deliveries.push(delivery)
    return delivery
  }
  const gateway = await tests.open({ handingOn: { id, ownerOf, post: { ...post, send } }, ...(ingest && { ingest }) })
  return { ...gateway, topics, deliveries }
}
const textOf = (letter: Uint8Array) => Buffer.from(letter).toString()

let second = 0
/** Publishes readings and returns their times. */
async function publishMany({ publish }: TestDevice, count: number): Promise<string[]> {
  const all = Array.from({ length: count }, () => reading(new Date(clock.now().getTime() + ++second * 1000)))
  await Promise.all(all.map(next => publish('telemetry', { readings: [next] })))
  return all.map(({ at }) => at)
}
const timesOf = (took: OpenGateway['received']) => took.map(({ reading: { at } }) => at).toSorted()
/** Waits until a gateway has stored the readings of these times, each once. */
const expectReceived = (gateway: OpenGateway, times: readonly string[]) =>
  until(() => expect(timesOf(gateway.received).filter(at => times.includes(at))).toEqual(times.toSorted()))

test('readings and states of a device reach its gateway, each once, whichever the broker sends them to', async () => {
  const names = ['first', 'second']
  const divided = rendezvous(names)
  const ownerOf = (bssid: string) => divided(bssid)!
  const gateways = await Promise.all(names.map(name => openHanding(name, { ownerOf })))
  const devices = await Promise.all(tests.bssids.map(bssid => tests.device(bssid)))
  const published = await Promise.all(devices.map(device => publishMany(device, 10)))
  await until(() => expect(timesOf(tests.readings)).toEqual(published.flat().toSorted()))
  await Promise.all(devices.map(({ publish }) => publish('state', { at: clock.now().toISOString(), locked: true })))
  await until(() => expect(tests.states.map(({ bssid }) => bssid).toSorted()).toEqual(tests.bssids.toSorted()))
  for (const [place, { received, topics, deliveries }] of gateways.entries()) {
    const own = tests.bssids.filter(bssid => ownerOf(bssid) === names[place])
    expect(new Set(received.map(({ bssid }) => bssid))).toEqual(new Set(own))
    await until(() => expect(deliveries).toHaveLength(topics.length))
    expect(new Set(deliveries)).toEqual(new Set(['handled']))
  }
  const kinds = gateways.flatMap(({ topics }) => topics.map(topic => topic.split('/').at(-1)))
  expect(new Set(kinds)).toEqual(new Set(['telemetry', 'state']))
})

test('readings that a device sends at once are evaluated in the order of their times, by its gateway only', async () => {
  const names = ['first', 'second']
  const divided = rendezvous(names)
  const ownerOf = (bssid: string) => divided(bssid)!
  const evaluated: { readonly by: string; readonly bssid: string; readonly at: string }[] = []
  for (const by of names) {
    const parts = testParts(tests.server)
    const alarms: AlarmEvaluator = {
      ...parts.alarms,
      readings: async fresh => {
        evaluated.push(...fresh.map(({ bssid, reading: { at } }) => ({ by, bssid, at })))
      },
    }
    // Longer than all readings together take.
    const ingest = openIngest({ ...parts, alarms, settling: 1_000 })
    onTestFinished(() => ingest.close())
    await openHanding(by, { ownerOf, ingest })
  }
  const devices = await Promise.all(tests.bssids.map(bssid => tests.device(bssid)))
  const published = await Promise.all(devices.map(device => publishMany(device, 20)))
  const all = new Set(published.flat())
  const ofThis = () => evaluated.filter(({ at }) => all.has(at))
  await until(() => expect(ofThis()).toHaveLength(all.size))
  for (const [place, bssid] of tests.bssids.entries()) {
    const own = ofThis().filter(each => each.bssid === bssid)
    expect(own).toEqual(published[place]!.map(at => ({ by: ownerOf(bssid), bssid, at })))
  }
})

test('a message is not acknowledged before the gateway of its device has stored it', async () => {
  const stored = Promise.withResolvers<void>()
  const owner = await openTestPost()
  const letters: string[] = []
  owner.listen('owner', async letter => {
    letters.push(textOf(letter))
    await stored.promise
  })
  const gateway = await openHanding('own', { ownerOf: () => 'owner' })
  const [at] = (await publishMany(await tests.device(one), 1)) as [string]
  const arrived = () => letters.filter(letter => letter.includes(at))
  await until(() => expect(arrived()).toHaveLength(1))
  // On a new connection, the broker sends again what is not acknowledged.
  await tests.restartBroker()
  await until(() => expect(arrived()).toHaveLength(2))
  expect(gateway.deliveries).toEqual([])
  stored.resolve()
  await until(() => expect(gateway.deliveries).toHaveLength(letters.length))
  expect(new Set(gateway.deliveries)).toEqual(new Set(['handled']))
  expect(gateway.received).toEqual([])
})

test('what a gateway does not take because it is gone, or fails to store, the receiving gateway stores', async () => {
  const gateway = await openHanding('own', { ownerOf: () => 'other' })
  const device = await tests.device(one)
  const published = await publishMany(device, 5)
  await expectReceived(gateway, published)
  const other = await openTestPost()
  const stop = other.listen('other', async () => {
    throw new Error('The disk is full')
  })
  published.push(...(await publishMany(device, 5)))
  await expectReceived(gateway, published)
  await stop()
  published.push(...(await publishMany(device, 5)))
  await expectReceived(gateway, published)
  expect(new Set(gateway.deliveries)).toEqual(new Set(['failed']))
})

test('a gateway that does not answer in time gets no more messages for a while', async () => {
  const other = await openTestPost()
  let letters = 0
  other.listen('other', () => {
    letters++
    return new Promise(() => undefined)
  })
  const gateway = await openHanding('own', { ownerOf: () => 'other', timeout: 50 })
  const device = await tests.device(one)
  const published = await publishMany(device, 3)
  await expectReceived(gateway, published)
  expect(gateway.deliveries).toContain('unanswered')
  const before = letters
  published.push(...(await publishMany(device, 3)))
  await expectReceived(gateway, published)
  expect(letters).toBe(before)
})

test('while NATS is away gateways store what they receive, and hand on again once it is back', async () => {
  const other = await openTestPost()
  other.listen('other', async () => undefined)
  const gateway = await openHanding('own', { ownerOf: () => 'other' })
  const device = await tests.device(one)
  await publishMany(device, 1)
  await until(() => expect(gateway.deliveries).toContain('handled'))
  await nats.kill()
  await expectReceived(gateway, await publishMany(device, 3))
  await nats.start()
  await until(async () => {
    await publishMany(device, 1)
    expect(gateway.deliveries.at(-1)).toBe('handled')
  })
})

test('a message keeps the time at which it was first received, so that an old last will is not a new one', async () => {
  const owner = await openHanding('owner', { ownerOf: () => 'owner' })
  await openHanding('own', { ownerOf: () => 'owner', onSend: () => clock.advance(60_000) })
  const device = await tests.device(one)
  const handedOn = () => tests.states.filter(({ receivedAt }) => receivedAt !== undefined)
  await until(async () => {
    await device.publish('state', { offline: true })
    expect(handedOn()).not.toEqual([])
  })
  expect(clock.now().getTime() - handedOn()[0]!.receivedAt!).toBeGreaterThanOrEqual(60_000)
  expect(owner.deliveries).toEqual([])
})

test('answers to commands are not handed on', async () => {
  const gateway = await openHanding('own', { ownerOf: () => 'other' })
  const device = await tests.device(one)
  expect(await gateway.link.send(one, { type: 'flush' })).toEqual({ ok: true })
  expect(device.executed).toHaveLength(1)
  expect(gateway.topics.filter(topic => topic.endsWith('/ack'))).toEqual([])
})
