import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { Sparkline } from '../../../src/ui/Sparkline.tsx'

afterEach(cleanup)
const drawn = (values: readonly (number | null)[], kind?: 'line' | 'bars') => {
  const { container } = render(<Sparkline values={values} label="Low 1, high 3" {...(kind && { kind })} />)
  expect(screen.getByRole('img', { name: 'Low 1, high 3' })).toBeTruthy()
  return container
}
const pathOf = (container: HTMLElement) => container.querySelector('path')?.getAttribute('d') ?? ''

test('a gap is a gap: each run of values begins anew, and one that stands alone is a dot', () => {
  const path = pathOf(drawn([1, 2, null, 3, null, 2, 1]))
  expect(path.match(/M/g)).toHaveLength(3)
  expect(path.match(/L/g)).toHaveLength(2)
  expect(path.match(/h\.01/g)).toHaveLength(1)
})

test('high is high and low is low, within the box; what does not change runs through the middle', () => {
  const heights = pathOf(drawn([1, 3, 2]))
    .match(/[ML][\d.]+ ([\d.]+)/g)!
    .map(step => Number(step.split(' ')[1]))
  expect(heights).toEqual([30, 2, 16])
  cleanup()
  expect(pathOf(drawn([5, 5]))).toMatch(/^M25\.00 16\.00L75\.00 16\.00$/)
})

test('where nothing was read nothing is drawn; sums begin at 0 and none is no bar', () => {
  expect(drawn([null, null]).querySelector('path')).toBeNull()
  cleanup()
  const bars = drawn([4, 0, null, 2], 'bars').querySelectorAll('rect')
  expect([...bars].map(bar => Number(bar.getAttribute('height')))).toEqual([30, 16])
})
