/** The parts of the simulator's process: options, clock, command log, reading buffer, outbox and queue. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { maxReadings, type Reading } from '../../../server/protocol/messages.ts'
import { openClock } from '../../../simulator/clock.ts'
import { openCommandLog } from '../../../simulator/commandLog.ts'
import { openReadingBuffer } from '../../../simulator/readingBuffer.ts'
import { readOptions } from '../../../simulator/options.ts'
import { openOutbox } from '../../../simulator/outbox.ts'
import { stateDiff } from '../../../simulator/stateDiff.ts'
import { sleepOf } from '../../../simulator/sleep.ts'
import { updateOutcome } from '../../../simulator/failingFirmware.ts'
import { openDeviceLog, readDeviceLog, type DeviceEvent } from '../../../simulator/deviceLog.ts'
import { faultProfileOf } from '../../../simulator/faultProfile.ts'
import { openRateLimitedQueue } from '../../../simulator/rateLimitedQueue.ts'
import { restingReading } from '../support/readings.ts'

describe('the command line', () => {
  test('is parsed with units and defaults', () => {
    const args =
      '--devices 10000 --interval 10s --speed 60 --url mqtt://broker:1884 --seed 4 --draws off --max-back-off 2s ' +
      '--sleep 0.2:10m:30s --failing-firmware 9.9.9:0.3:refused --log events.jsonl ' +
      '--fault fouling:0.3:90d@0.1 --fault leak@a4-1c-09-7e-33-0b'
    expect(readOptions(args.split(' '))).toEqual({
      devices: 10_000,
      interval: 10_000,
      speed: 60,
      url: 'mqtt://broker:1884',
      ca: undefined,
      fleet: undefined,
      seed: 4,
      draws: false,
      connects: 200,
      maxBackOff: 2000,
      sleep: { share: 0.2, awake: 600_000, asleep: 30_000 },
      failingFirmware: { version: '9.9.9', share: 0.3, failure: 'refused' },
      faults: [
        { course: { kind: 'fouling', size: 0.3, ramp: 90 * 86_400_000 }, on: { share: 0.1 } },
        { course: { kind: 'leak', size: 0.5, ramp: 0 }, on: { bssid: 'A4:1C:09:7E:33:0B' } },
      ],
      log: 'events.jsonl',
    })
    expect(readOptions([])).toMatchObject({
      devices: 500,
      interval: 30_000,
      speed: 1,
      draws: true,
      maxBackOff: 60_000,
      faults: [],
    })
    expect(readOptions(['--failing-firmware', '2.3.0']).failingFirmware).toEqual({
      version: '2.3.0',
      share: 0.1,
      failure: 'failed',
    })
    expect(readOptions(['--interval', '2m'])).toMatchObject({ interval: 120_000 })
  })

  test.each([
    ['--devices 0', '--devices must be a whole number from 1 to 1000000, not 0'],
    ['--devices 1.5', '--devices must be a whole number from 1 to 1000000, not 1.5'],
    ['--interval 10x', '--interval must be a time from 1s to 24h, such as 10s, not 10x'],
    ['--interval 0', '--interval must be a time from 1s to 24h, such as 10s, not 0'],
    ['--speed fast', '--speed must be a number from 0.01 to 100000, not fast'],
    ['--url http://broker', '--url must be an address such as mqtt://127.0.0.1:1883, not http://broker'],
    ['--draws maybe', '--draws must be on or off'],
    ['--devices 5 --fleet some.jsonl', 'combined with --fleet'],
    ['--devises 5', '--devises'],
    ['--sleep 0.2', '--sleep must be a share and two times, such as 0.2:10m:30s, not 0.2'],
    ['--sleep 2:10m:30s', 'The share of --sleep must be a number from 0 to 1, not 2'],
    ['--sleep 0.2:10m:never', '--sleep must be a time from 1s to 24h, such as 10s, not never'],
    ['--failing-firmware :0.1', '--failing-firmware must be such as 9.9.9, 9.9.9:0.1 or 9.9.9:0.1:refused'],
    ['--failing-firmware 9.9.9:0.1:sometimes', '--failing-firmware must be such as'],
    [
      '--fault rust',
      '--fault must be such as fouling:0.3:90d, fouling:0.3:90d@0.1 or leak@A4:1C:09:7E:33:0B, not rust',
    ],
    ['--fault fouling:5:90d', 'not fouling:5:90d; the size of fouling must be above 0 and at most 0.99'],
    ['--fault fouling@2', '--fault must be such as'],
    ['--fault fouling@0.1@0.2', '--fault must be such as'],
    ['--failing-firmware 9.9.9:much', 'The share of --failing-firmware must be a number from 0 to 1, not much'],
  ])('%s is refused with the reason', (args, reason) => {
    expect(() => readOptions(args.split(' '))).toThrow(reason)
  })
})

test('the simulated clock runs at the given speed', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1000 }), fc.nat(1e9), fc.nat(1e7), (speed, from, passes) => {
      let world = 5_000_000
      const clock = openClock(from, speed, () => world)
      world += passes
      expect(clock.now()).toBe(from + passes * speed)
      expect(clock.realTimeUntil(clock.now() + speed * 1000)).toBeCloseTo(1000, 6)
    }),
  )
})

describe('commands', () => {
  const now = Date.parse('2026-06-10T12:00:00Z')
  const command = (id: string, seconds = 10) => ({
    id,
    expires_at: new Date(now + seconds * 1000).toISOString(),
    command: { type: 'flush' as const },
  })

  test('are executed once, and a repeated one gets the same acknowledgement', () => {
    const log = openCommandLog()
    expect(log.decide(command('a'), now)).toBe('execute')
    expect(log.decide(command('a'), now)).toBe('running')
    log.complete({ id: 'a', ok: false, reason: 'No' })
    expect(log.decide(command('a'), now)).toEqual({ id: 'a', ok: false, reason: 'No' })
    // The same holds after it expired, and on a device that was restarted in between.
    expect(openCommandLog(log.acks).decide(command('a', -60), now)).toEqual({ id: 'a', ok: false, reason: 'No' })
  })

  test('are not executed after they expired', () => {
    const log = openCommandLog()
    expect(log.decide(command('a', 0), now)).toBe('expired')
    expect(log.decide(command('b', -5), now)).toBe('expired')
    expect(log.acks).toEqual([])
  })

  test('are remembered up to a limit', () => {
    const log = openCommandLog()
    for (let number = 0; number < 300; number++) {
      expect(log.decide(command(`${number}`), now)).toBe('execute')
      log.complete({ id: `${number}`, ok: true })
    }
    expect(log.acks.length).toBeLessThan(200)
    expect(log.acks.at(-1)).toEqual({ id: '299', ok: true })
  })
})

describe('the reading buffer', () => {
  test('returns readings in order, in messages of the allowed size, and keeps every litre', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 5000 }), { maxLength: 700 }),
        fc.integer({ min: 1, max: 500 }),
        (millilitres, max) => {
          const buffer = openReadingBuffer(max)
          for (const [number, amount] of millilitres.entries()) buffer.add(restingReading(number, amount / 1000))
          const messages: Reading[][] = []
          while (buffer.size > 0) messages.push(buffer.take())
          const all = messages.flat()
          expect(all).toHaveLength(Math.min(max, millilitres.length))
          expect(all.map(({ at }) => at)).toEqual(all.map(({ at }) => at).toSorted())
          for (const message of messages) expect(message.length).toBeLessThanOrEqual(maxReadings)
          const sum = millilitres.reduce((before, amount) => before + amount, 0) / 1000
          expect(all.reduce((before, { feed }) => before + feed, 0)).toBeCloseTo(sum, 6)
        },
      ),
    )
  })
})

describe('the outbox of a device', () => {
  interface Sent {
    readonly last: string
    readonly message: { readonly readings?: readonly Reading[]; readonly replaced_cartridges?: readonly number[] }
    readonly done: (error?: Error) => void
  }
  const at = new Date(0).toISOString()
  const openConnected = () => {
    const sent: Sent[] = []
    const outbox = openOutbox((last, message, done) => sent.push({ last, message, done }))
    outbox.open()
    return { sent, outbox }
  }

  test('sends one message of readings at a time, and repeats it after the connection broke', () => {
    const { sent, outbox } = openConnected()
    for (let number = 1; number <= 3; number++) outbox.addReading(restingReading(number, number))
    expect(sent.map(({ message }) => message.readings?.length)).toEqual([1])
    const lost = sent[0]!
    outbox.close()
    outbox.addReading(restingReading(4, 4))
    outbox.open()
    expect(sent).toHaveLength(2)
    expect(sent[1]!.message.readings?.map(({ feed }) => feed)).toEqual([1, 2, 3, 4])
    // A late callback of the lost message changes nothing.
    lost.done(new Error('Connection closed'))
    sent[1]!.done()
    outbox.addReading(restingReading(5, 5))
    expect(sent[2]!.message.readings?.map(({ feed }) => feed)).toEqual([5])
  })

  test('repeats an acknowledgement until it was delivered', () => {
    const { sent, outbox } = openConnected()
    outbox.acknowledge({ id: 'a', ok: true })
    outbox.close()
    outbox.acknowledge({ id: 'b', ok: true })
    outbox.open()
    expect(sent.map(({ message }) => message)).toMatchObject([{ id: 'a' }, { id: 'a' }, { id: 'b' }])
    for (const { done } of sent) done()
    outbox.close()
    outbox.open()
    expect(sent).toHaveLength(3)
  })

  test('reports a replaced cartridge once, and again if that was not delivered', () => {
    const { sent, outbox } = openConnected()
    const messages = () => sent.splice(0).map(({ message, done }) => ({ message, done }))
    const later = new Date(1000).toISOString()
    outbox.reportState({ at, status: 0, replaced_cartridges: [1] })
    outbox.reportState({ at, replaced_cartridges: [] })
    expect(messages()).toMatchObject([
      { message: { at, status: 0, replaced_cartridges: [1] } },
      { message: expect.not.objectContaining({ replaced_cartridges: expect.anything() }) },
    ])
    outbox.close()
    // The server may have stored it: only with the same time it counts once.
    outbox.reportState({ at: later, status: 1, replaced_cartridges: [2] })
    outbox.open()
    const repeated = messages()
    expect(repeated.map(({ message }) => message)).toEqual([
      { at: later, status: 1, replaced_cartridges: [2] },
      { at, replaced_cartridges: [1] },
    ])
    for (const { done } of repeated) done()
    outbox.close()
    outbox.open()
    expect(messages()).toEqual([])
  })
})

test('stateDiff returns only the changed fields', () => {
  const before = { status: 0, faults: [], uv: 1 } as const
  expect(stateDiff({ ...before, faults: [] }, { ...before, faults: [] })).toBeUndefined()
  expect(stateDiff({ ...before, faults: [] }, { status: 4, faults: ['leak'], uv: 1 })).toEqual({
    status: 4,
    faults: ['leak'],
  })
})

const bssids = Array.from({ length: 2000 }, (_, number) => `7C:9E:BD:00:${number >> 8}:${number & 0xff}`)
/** Returns the share of these devices for which a condition holds. */
const shareWhere = (holds: (bssid: string) => boolean) => bssids.filter(holds).length / bssids.length

test('a share of devices sleeps in turn, for as long as given, always the same ones', () => {
  const sleep = { share: 0.2, awake: 3000, asleep: 1000 }
  const from = Date.parse('2026-06-10T12:00:00Z')
  const moments = Array.from({ length: 20 }, (_, count) => from + count * 200)
  const phases = bssids.map(bssid => sleepOf(bssid, sleep))
  const sleepers = phases.filter(phaseAt => moments.some(at => phaseAt(at).asleep))
  expect(sleepers.length / bssids.length).toBeCloseTo(sleep.share, 1)
  for (const at of moments) {
    const asleep = phases.filter(phaseAt => phaseAt(at).asleep).length / bssids.length
    expect(asleep).toBeGreaterThan(0.02)
    expect(asleep).toBeLessThan(0.09)
  }
  for (const phaseAt of sleepers) {
    const { asleep, until: end } = phaseAt(from)
    expect(end).toBeGreaterThan(from)
    expect(phaseAt(end - 1)).toEqual({ asleep, until: end })
    expect(phaseAt(end)).toEqual({ asleep: !asleep, until: end + (asleep ? sleep.awake : sleep.asleep) })
  }
  const awake = phases.find(phaseAt => !sleepers.includes(phaseAt))!
  expect(awake(from)).toEqual({ asleep: false, until: Infinity })
  expect(sleepOf(bssids[0]!, sleep)(from)).toEqual(phases[0]!(from))
})

test('a firmware fails on its share of the devices, always the same ones', () => {
  const failing = { version: '9.9.9', share: 0.1, failure: 'failed' } as const
  const outcomes = bssids.map(bssid => updateOutcome(bssid, failing, '9.9.9'))
  expect(bssids.map(bssid => updateOutcome(bssid, failing, '9.9.9'))).toEqual(outcomes)
  expect(shareWhere(bssid => updateOutcome(bssid, failing, '9.9.9') === 'failed')).toBeCloseTo(0.1, 1)
  expect(new Set(outcomes)).toEqual(new Set(['failed', 'installed']))
  expect(updateOutcome(bssids[0]!, failing, '2.3.0')).toBeUndefined()
  expect(updateOutcome(bssids[0]!, undefined, '9.9.9')).toBeUndefined()
})

test('the log of devices is a file of JSON Lines, which is continued', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'permeate-log-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const path = join(folder, 'events.jsonl')
  const event = (bssid: string): DeviceEvent => ({ at: new Date(0).toISOString(), bssid, did: 'connected' })
  for (const bssid of bssids.slice(0, 2)) {
    const log = await openDeviceLog(path)
    log.record(event(bssid))
    await log.close()
  }
  expect(readDeviceLog(path)).toEqual(bssids.slice(0, 2).map(event))
  await expect(openDeviceLog(join(folder, 'missing', 'events.jsonl'))).rejects.toThrow('ENOENT')
})

test('about three percent of devices refuse commands, always the same ones', () => {
  const reasons = bssids.map(bssid => faultProfileOf(bssid).refusal)
  expect(bssids.map(bssid => faultProfileOf(bssid).refusal)).toEqual(reasons)
  const refusing = reasons.filter(reason => reason !== undefined)
  expect(refusing.length).toBeGreaterThan(30)
  expect(refusing.length).toBeLessThan(100)
  expect(new Set(refusing).size).toBe(3)
  for (const bssid of bssids) expect(faultProfileOf(bssid).latency()).toBeLessThan(400)
})

describe('the rate-limited queue', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
  afterEach(() => void vi.useRealTimers())

  test('handles so many items a second, in the order added, and each once', async () => {
    const handled: number[] = []
    const queue = openRateLimitedQueue<number>(100, one => handled.push(one))
    for (let one = 0; one < 250; one++) queue.add(one)
    queue.add(3)
    await vi.advanceTimersByTimeAsync(1000)
    expect(handled.length).toBeGreaterThan(80)
    expect(handled.length).toBeLessThan(130)
    await vi.advanceTimersByTimeAsync(2000)
    expect(handled).toEqual(Array.from({ length: 250 }, (_, one) => one))
    queue.add(7)
    await vi.advanceTimersByTimeAsync(100)
    expect(handled.at(-1)).toBe(7)
  })
})
