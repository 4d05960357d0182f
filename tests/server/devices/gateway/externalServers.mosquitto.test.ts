/** Several servers on one Mosquitto: they share what devices say, and none takes anything with it when it goes. */
import { beforeEach, expect, test } from 'vitest'
import { startGateways, type OpenGateway, type TestGateways } from '../../support/gatewayHarness.ts'
import { temporaryFolder } from '../../support/harness.ts'
import { reading, type TestDevice } from '../../support/testDevice.ts'
import { until } from '../../../support/until.ts'

const tests = await startGateways('mosquitto')
const { clock, bus } = tests.server
const [one, other] = tests.bssids as [string, string]
beforeEach(() => void (tests.readings.length = 0))

let second = 0
/** Says so many readings, each after the one before was acknowledged; their times. */
async function sayMany({ publish }: TestDevice, count: number): Promise<string[]> {
  const said: string[] = []
  for (let each = 0; each < count; each++) {
    const next = reading(new Date(clock.now().getTime() + ++second * 1000))
    await publish('telemetry', { readings: [next] })
    said.push(next.at)
  }
  return said
}
const isTaken = (text: string) => text.startsWith('Took over the MQTT session of a stopped server')
const timesOf = (took: TestGateways['readings']) => took.map(({ reading: { at } }) => at)

test('each message goes to one of them, and both have their share', async () => {
  const [a, b] = [await tests.open(), await tests.open()]
  const said = await sayMany(await tests.device(one), 40)
  await until(() => expect(timesOf(tests.readings).toSorted()).toEqual(said))
  expect(a.received.length).toBeGreaterThan(5)
  expect(b.received.length).toBeGreaterThan(5)
})

test('a command is acknowledged whichever of them hears the answer', async () => {
  const [a, b] = [await tests.open(), await tests.open()]
  const devices = [await tests.device(one), await tests.device(other)]
  // Answers go to the two in turn, so half of them reach the one that did not ask.
  const asked = Array.from({ length: 40 }, (_, at) =>
    (at % 4 < 2 ? a : b).link.send(at % 2 ? one : other, { type: 'flush' }),
  )
  expect(await Promise.all(asked)).toEqual(Array.from({ length: 40 }, () => ({ ok: true })))
  for (const { executed, received } of devices) {
    expect(executed).toHaveLength(20)
    expect(received).toHaveLength(20)
  }
})

test('one that stops while devices speak leaves its share to the other', async () => {
  const [a, b] = [await tests.open(), await tests.open()]
  const devices = [await tests.device(one), await tests.device(other)]
  const saying = Promise.all(devices.map(device => sayMany(device, 100)))
  await until(() => expect(a.received.length).toBeGreaterThan(10))
  await a.close()
  const said = (await saying).flat()
  await until(() => expect(timesOf(tests.readings).toSorted()).toEqual(said.toSorted()))
  const before = b.received.length
  const later = await sayMany(devices[0]!, 10)
  await until(() => expect(timesOf(b.received.slice(before))).toEqual(later))
})

test('the last one that stops finds what was said meanwhile when it starts again', async () => {
  const [a, b] = [await tests.open(), await tests.open()]
  const device = await tests.device(one)
  await Promise.all([a.close(), b.close()])
  const said = await sayMany(device, 20)
  expect(tests.readings).toEqual([])
  await Promise.all([tests.open(), tests.open()])
  await until(() => expect(timesOf(tests.readings).toSorted()).toEqual(said))
})

test('where another server takes the place of the last one, it fetches what waits for that one, and its share', async () => {
  const last = await tests.open()
  const device = await tests.device(one)
  await last.close()
  const said = await sayMany(device, 20)
  const next = await tests.open({ dataDir: await temporaryFolder() })
  await until(() => expect(timesOf(next.received).toSorted()).toEqual(said))
  await until(() => expect(next.log.some(isTaken)).toBe(true))
  const later = await sayMany(device, 20)
  await until(() => expect(timesOf(next.received)).toEqual(expect.arrayContaining(later)))
})

test('what waited while no server was there is no flood', async () => {
  await (await tests.open()).close()
  const device = await tests.device(one)
  const said = await sayMany(device, 500)
  const { drops } = await tests.open()
  await until(() => expect(timesOf(tests.readings).toSorted()).toEqual(said))
  expect(drops.totals().flooding).toBe(0)
})

test('a broker that restarts has kept what was not stored yet, and the server finds it again', async () => {
  const gateway = await tests.open()
  const device = await tests.device(one, { reconnectPeriod: 100 })
  // What the test before took, and whose acknowledgement did not arrive any more, comes again before this.
  const [first] = await sayMany(device, 1)
  await until(() => expect(timesOf(gateway.received)).toContain(first))
  gateway.received.length = 0
  let begun = 0
  let end = () => {}
  const never = new Promise<void>(resolve => (end = resolve))
  tests.store = () => {
    begun++
    return never
  }
  const said = await sayMany(device, 5)
  await until(() => expect(begun).toBe(5))
  tests.store = async () => undefined
  await tests.restartBroker()
  await until(() => expect(timesOf(gateway.received).toSorted()).toEqual(said))
  end()
  const told = gateway.log.filter(text => !isTaken(text))
  expect(told).toEqual(['The MQTT broker cannot be reached; trying again', 'The MQTT broker is reachable again'])
  expect(await gateway.link.send(one, { type: 'flush' })).toEqual({ ok: true })
})

test('without a broker a command says so', async () => {
  const gateway = await tests.open()
  await tests.restartBroker(async () => {
    await until(() => expect(gateway.log.at(-1)).toContain('cannot be reached'))
    expect(await gateway.link.send(one, { type: 'flush' })).toEqual({
      ok: false,
      reason: 'The MQTT broker cannot be reached',
    })
    // Nor does it keep the server from stopping.
    await gateway.close()
  })
})

test('a server that starts before its broker finds it later', async () => {
  let gateway: OpenGateway | undefined
  await tests.restartBroker(async () => {
    gateway = await tests.open()
    expect(gateway.log).toEqual(['The MQTT broker cannot be reached; trying again'])
  })
  await until(() => expect(gateway!.log).toContain('The MQTT broker is reachable again'))
  await tests.device(one)
  expect(await gateway!.link.send(one, { type: 'flush' })).toEqual({ ok: true })
})

test('what one ends, all hear', async () => {
  const heard: unknown[] = []
  const stop = bus.subscribe(told => void heard.push(told))
  const { link } = await tests.open()
  await tests.device(one)
  await link.send(one, { type: 'flush' })
  await until(() => expect(heard).toMatchObject([{ kind: 'commands', ended: [{ reason: null }] }]))
  stop()
})
