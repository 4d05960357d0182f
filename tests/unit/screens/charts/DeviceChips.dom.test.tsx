/** The names of the charted devices, by which one of them is highlighted. */
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { DeviceChips } from '../../../../src/screens/charts/DeviceChips.tsx'
import { charts } from '../../../../src/store/charts.ts'
import { selections, unreadMatch } from '../../../../src/store/selection.ts'

const bssids = ['A', 'B', 'C']
const chip = (bssid: string) => screen.getByRole('button', { name: `Highlight ${bssid}` })
const highlighted = () => bssids.filter(bssid => chip(bssid).getAttribute('aria-pressed') === 'true')
const press = async (key: string) => {
  fireEvent.keyDown(document.activeElement!, { key })
  await act(() => Promise.resolve())
}

afterEach(() => {
  cleanup()
  Object.assign(charts, { highlightedDevice: undefined, pointedDevice: undefined, chosenDevices: [] })
  selections.devices.clear()
})

test('arrow keys highlight one device after the other within one Tab stop, and Escape ends it', async () => {
  render(<DeviceChips bssids={bssids} states={[]} />)
  const tabStops = () => bssids.filter(bssid => chip(bssid).tabIndex === 0)
  expect(tabStops()).toEqual(['A'])
  chip('A').focus()
  for (const [key, expected] of [
    ['ArrowRight', 'A'],
    ['ArrowRight', 'B'],
    ['End', 'C'],
    ['ArrowRight', 'C'],
    ['ArrowLeft', 'B'],
    ['Home', 'A'],
    ['ArrowLeft', 'A'],
  ] as const) {
    await press(key)
    expect([highlighted(), tabStops(), document.activeElement]).toEqual([[expected], [expected], chip(expected)])
  }
  await press('Escape')
  expect(highlighted()).toEqual([])
  expect(document.activeElement).toBe(chip('A'))
})

test('keys of the legend do not reach the charts, and other keys do', async () => {
  const reached: string[] = []
  const listen = ({ key }: KeyboardEvent) => reached.push(key)
  document.addEventListener('keydown', listen)
  render(<DeviceChips bssids={bssids} states={[]} />)
  chip('A').focus()
  for (const key of ['ArrowRight', 'Escape', 'Escape', 'm']) await press(key)
  document.removeEventListener('keydown', listen)
  // The second Escape has nothing to end in the legend.
  expect(reached).toEqual(['Escape', 'm'])
})

test('the pointer highlights the device below it, unless its lines are hidden', async () => {
  charts.hiddenDevices = ['B']
  render(<DeviceChips bssids={bssids} states={[]} />)
  const point = (bssid: string, type: 'pointerEnter' | 'pointerLeave') =>
    fireEvent[type](chip(bssid).closest('li')!, { pointerType: 'mouse' })
  point('C', 'pointerEnter')
  expect(charts.pointedDevice).toBe('C')
  point('C', 'pointerLeave')
  expect(charts.pointedDevice).toBeUndefined()
  point('B', 'pointerEnter')
  expect(charts.pointedDevice).toBeUndefined()
  charts.hiddenDevices = []
  await act(() => Promise.resolve())
})

test('the devices are the first selected ones if the chosen ones are no longer selected', () => {
  selections.devices.add(['A', 'B', 'C', 'D'].map(id => ({ ...unreadMatch, id, name: id, status: 0 })))
  charts.chosenDevices = ['X']
  render(<DeviceChips bssids={bssids} states={[]} />)
  screen.getByText('The first 3 of 4 selected devices')
  expect(screen.queryByRole('button', { name: /Use the first/ })).toBeNull()
})

test('a device that is removed below the pointer is no longer pointed at', async () => {
  const { rerender } = render(<DeviceChips bssids={bssids} states={[]} />)
  fireEvent.pointerEnter(chip('C').closest('li')!, { pointerType: 'mouse' })
  expect(charts.pointedDevice).toBe('C')
  rerender(<DeviceChips bssids={['A', 'B']} states={[]} />)
  expect(charts.pointedDevice).toBeUndefined()
  await act(() => Promise.resolve())
})
