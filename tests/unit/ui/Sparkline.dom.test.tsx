import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { Sparkline } from '../../../src/ui/Sparkline.tsx'

afterEach(cleanup)
const renderSparkline = (values: readonly (number | null)[], kind?: 'line' | 'bars') => {
  const { container } = render(<Sparkline values={values} label="Low 1, high 3" {...(kind && { kind })} />)
  expect(screen.getByRole('img', { name: 'Low 1, high 3' })).toBeTruthy()
  return container
}
const pathOf = (container: HTMLElement) => container.querySelector('path')?.getAttribute('d') ?? ''

test('a gap interrupts the line, and a single value between gaps is drawn as a dot', () => {
  const path = pathOf(renderSparkline([1, 2, null, 3, null, 2, 1]))
  expect(path.match(/M/g)).toHaveLength(3)
  expect(path.match(/L/g)).toHaveLength(2)
  expect(path.match(/h\.01/g)).toHaveLength(1)
})

test('values are scaled to the height of the box, and a constant line runs through the middle', () => {
  const heights = pathOf(renderSparkline([1, 3, 2]))
    .match(/[ML][\d.]+ ([\d.]+)/g)!
    .map(step => Number(step.split(' ')[1]))
  expect(heights).toEqual([30, 2, 16])
  cleanup()
  expect(pathOf(renderSparkline([5, 5]))).toMatch(/^M25\.00 16\.00L75\.00 16\.00$/)
})

test('nothing is drawn without values; bars start at 0, and a zero has none', () => {
  expect(renderSparkline([null, null]).querySelector('path')).toBeNull()
  cleanup()
  const bars = renderSparkline([4, 0, null, 2], 'bars').querySelectorAll('rect')
  expect([...bars].map(bar => Number(bar.getAttribute('height')))).toEqual([30, 16])
})
