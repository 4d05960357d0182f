import { describe, expect, it } from 'vitest'
import { figure, frameShare, quantile } from '../../bench/figures.ts'

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

describe('figures', () => {
  it('gives a p95 only for at least 60 samples', () => {
    expect(figure('keys', 'ms', upTo(59), null)).toMatchObject({ samples: 59, median: 30, p95: null, max: 59 })
    expect(figure('keys', 'ms', upTo(60), null)).toMatchObject({ samples: 60, median: 30, p95: 57, max: 60 })
  })

  it('checks the budget of each value, and leaves it open when a p95 lacks samples', () => {
    expect(figure('keys', 'ms', upTo(60), { median: 30, p95: 57 }).ok).toBe(true)
    expect(figure('keys', 'ms', upTo(60), { median: 30, p95: 56 }).ok).toBe(false)
    expect(figure('keys', 'ms', upTo(3), { median: 2, p95: 56 }).ok).toBeNull()
    expect(figure('keys', 'ms', upTo(3), { median: 1, p95: 56 }).ok).toBe(false)
    expect(figure('keys', 'ms', upTo(3), { max: 2 }).ok).toBe(false)
    expect(figure('keys', 'ms', upTo(3), null).ok).toBeNull()
  })

  it('fails a budget without samples', () => {
    expect(figure('keys', 'ms', [], { max: 2 }).ok).toBe(false)
    expect(frameShare('frames', [], 20, { median: 100 }).ok).toBe(false)
    expect(quantile([], 0.5)).toBeNaN()
  })

  it('counts the frames over a limit, as samples of one share', () => {
    const share = frameShare('frames', [16, 17, 20, 33], 20, { median: 25 })
    expect(share).toMatchObject({ unit: '%', samples: 4, median: 25, ok: true })
    expect(frameShare('frames', [16, 17, 21, 33], 20, { median: 25 }).ok).toBe(false)
  })
})
