/** What keeps one device from hurting the others, and the log from being flooded by a fleet. */
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { openDropCounter, rateLimit } from '../../../../../server/devices/gateway/rateLimit.ts'
import { packetGate } from '../../../../../server/devices/gateway/packetGate.ts'

describe('the book of what was dropped', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())
  const lines: string[] = []
  const opened = () => {
    lines.length = 0
    return openDropCounter({ log: { info: text => lines.push(text), error: () => undefined } })
  }
  const minute = 60_000

  test('names a device once a minute, with its counts', () => {
    const drops = opened()
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

  test('names the fifty worst of many, and counts the others', () => {
    const drops = opened()
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

  test('tells what is left when it is closed', () => {
    const drops = opened()
    drops.count('A', 'too old')
    drops.close()
    expect(lines).toEqual(['Dropped from device A: 1 too old'])
    vi.advanceTimersByTime(minute)
    expect(lines).toHaveLength(1)
  })
})

describe('the rate of a device', () => {
  test('is never more than the burst and the sustained rate, and never less for who keeps to it', () => {
    const steps = fc.array(fc.integer({ min: 0, max: 30_000 }), { minLength: 1, maxLength: 400 })
    fc.assert(
      fc.property(steps, pauses => {
        let at = 0
        const within = rateLimit(() => at)
        const let_in: number[] = []
        for (const pause of pauses) {
          at += pause
          if (within('A')) let_in.push(at)
        }
        for (const [from, begin] of let_in.entries())
          for (const [many, end] of let_in.slice(from).entries())
            expect(many + 1).toBeLessThanOrEqual(200 + ((end - begin) * 20) / 1000 + 1e-6)
      }),
      { numRuns: 30 },
    )
  })

  test('a burst of 200, then 20 a second, each device for itself', () => {
    let at = 0
    const within = rateLimit(() => at)
    const sent = (device: string, count: number) =>
      Array.from({ length: count }, () => within(device)).filter(Boolean).length
    expect(sent('A', 500)).toBe(200)
    expect(sent('B', 500)).toBe(200)
    at += 1000
    expect(sent('A', 500)).toBe(20)
    at += 50
    expect(sent('A', 500)).toBe(1)
    // Steady within the rate: all get through, however long.
    for (let second = 0; second < 100; second++) {
      at += 1000
      expect(sent('A', 20)).toBe(20)
    }
    at += 3_600_000
    expect(sent('A', 500)).toBe(200)
  })
})

describe('the length of packets', () => {
  const most = 1000
  /** A packet as it stands on the wire (MQTT 3.1.1, 2.2.3). */
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
    const gate = packetGate(most)
    const edges = [0, ...cuts.map(cut => cut % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length]
    return edges.slice(1).every((end, at) => gate(bytes.subarray(edges[at], end)))
  }

  test('packets that are short enough pass, one that is too long does not, wherever the bytes are cut', () => {
    const lengths = fc.array(fc.integer({ min: 0, max: most }), { maxLength: 10 })
    const cuts = fc.array(fc.nat(20_000), { maxLength: 20 })
    const tooLong = fc.integer({ min: most + 1, max: 300_000 })
    fc.assert(
      fc.property(lengths, cuts, tooLong, (good, at, bad) => {
        const fine = Buffer.concat(good.map(packet))
        expect(passes(fine, at)).toBe(true)
        // Its beginning is enough: it is not gathered.
        expect(passes(Buffer.concat([fine, packet(bad).subarray(0, 5)]), at)).toBe(false)
      }),
    )
  })

  test('a length that never ends is too long', () => {
    expect(packetGate(most)(Buffer.from([0x30, 0x80, 0x80, 0x80, 0x80, 0x80]))).toBe(false)
  })
})
