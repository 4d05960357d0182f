/** The limits that keep one device from harming the others, and a fleet from flooding the log. */
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { openDropCounter, rateLimit } from '../../../../../server/devices/gateway/rateLimit.ts'
import { packetGate } from '../../../../../server/devices/gateway/packetGate.ts'

describe('the counter of dropped messages', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())
  const lines: string[] = []
  const openCounter = () => {
    lines.length = 0
    return openDropCounter({ log: { info: text => lines.push(text), error: () => undefined } })
  }
  const minute = 60_000

  test('logs each device at most once a minute, with its counts', () => {
    const drops = openCounter()
    for (let at = 0; at < 100; at++) drops.count('A', 'flooding')
    drops.count('A', 'malformed')
    drops.count('B', 'oversized')
    expect(lines).toEqual([])
    vi.advanceTimersByTime(minute)
    expect(lines).toEqual(['Dropped from device A: 100 flooding, 1 malformed', 'Dropped from device B: 1 oversized'])
    vi.advanceTimersByTime(10 * minute)
    expect(lines).toHaveLength(2)
    drops.count('A', 'flooding')
    vi.advanceTimersByTime(minute)
    expect(lines.slice(2)).toEqual(['Dropped from device A: 1 flooding'])
    expect(drops.totals()).toMatchObject({ flooding: 101, malformed: 1, oversized: 1, 'too old': 0 })
  })

  test('logs the fifty devices with the most drops, and only the totals of the others', () => {
    const drops = openCounter()
    for (let device = 0; device < 30_000; device++)
      for (let times = device < 5 ? 3 : 1; times > 0; times--) drops.count(`device ${device}`, 'malformed')
    drops.count(undefined, 'foreign topic')
    vi.advanceTimersByTime(minute)
    expect(lines).toHaveLength(51)
    expect(lines[4]).toBe('Dropped from device device 4: 3 malformed')
    const rest = 30_000 + 5 * 2 - 5 * 3 - 45
    expect(lines[50]).toContain(`${rest} malformed`)
    expect(lines[50]).toContain('1 foreign topic')
  })

  test('logs the remaining counts when it is closed', () => {
    const drops = openCounter()
    drops.count('A', 'too old')
    drops.close()
    expect(lines).toEqual(['Dropped from device A: 1 too old'])
    vi.advanceTimersByTime(minute)
    expect(lines).toHaveLength(1)
  })
})

describe('the rate limit of a device', () => {
  test('never admits more than the burst and the sustained rate together', () => {
    const steps = fc.array(fc.integer({ min: 0, max: 30_000 }), { minLength: 1, maxLength: 400 })
    fc.assert(
      fc.property(steps, pauses => {
        let at = 0
        const admit = rateLimit(() => at)
        const admitted: number[] = []
        for (const pause of pauses) {
          at += pause
          if (admit('A')) admitted.push(at)
        }
        for (const [from, begin] of admitted.entries())
          for (const [many, end] of admitted.slice(from).entries())
            expect(many + 1).toBeLessThanOrEqual(200 + ((end - begin) * 20) / 1000 + 1e-6)
      }),
      { numRuns: 30 },
    )
  })

  test('admits a burst of 200 and then 20 a second, separately for each device', () => {
    let at = 0
    const admit = rateLimit(() => at)
    const admittedOf = (device: string, count: number) =>
      Array.from({ length: count }, () => admit(device)).filter(Boolean).length
    expect(admittedOf('A', 500)).toBe(200)
    expect(admittedOf('B', 500)).toBe(200)
    at += 1000
    expect(admittedOf('A', 500)).toBe(20)
    at += 50
    expect(admittedOf('A', 500)).toBe(1)
    // A steady rate within the limit is admitted for any length of time.
    for (let second = 0; second < 100; second++) {
      at += 1000
      expect(admittedOf('A', 20)).toBe(20)
    }
    at += 3_600_000
    expect(admittedOf('A', 500)).toBe(200)
  })
})

describe('the packet length limit', () => {
  const maxLength = 1000
  /** Encodes a packet with the remaining length given (MQTT 3.1.1, 2.2.3). */
  const packet = (length: number) => {
    const bytes = [0x30]
    let left = length
    do {
      const digit = left % 128
      left = Math.floor(left / 128)
      bytes.push(left > 0 ? digit | 0x80 : digit)
    } while (left > 0)
    return Buffer.concat([Buffer.from(bytes), Buffer.alloc(length, 0xff)])
  }
  const passes = (bytes: Buffer, cuts: readonly number[]) => {
    const gate = packetGate(maxLength)
    const edges = [0, ...cuts.map(cut => cut % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length]
    return edges.slice(1).every((end, at) => gate(bytes.subarray(edges[at], end)))
  }

  test('admits packets up to the maximum and refuses longer ones, wherever the bytes are split', () => {
    const lengths = fc.array(fc.integer({ min: 0, max: maxLength }), { maxLength: 10 })
    const cuts = fc.array(fc.nat(20_000), { maxLength: 20 })
    const tooLong = fc.integer({ min: maxLength + 1, max: 300_000 })
    fc.assert(
      fc.property(lengths, cuts, tooLong, (good, at, bad) => {
        const fine = Buffer.concat(good.map(packet))
        expect(passes(fine, at)).toBe(true)
        // The header is enough to refuse a packet: its body is not buffered.
        expect(passes(Buffer.concat([fine, packet(bad).subarray(0, 5)]), at)).toBe(false)
      }),
    )
  })

  test('refuses a length field that never ends', () => {
    expect(packetGate(maxLength)(Buffer.from([0x30, 0x80, 0x80, 0x80, 0x80, 0x80]))).toBe(false)
  })
})
