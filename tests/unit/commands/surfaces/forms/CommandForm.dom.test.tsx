/** A command's form keeps typed values until the command succeeds, and sends only changes. */
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { CommandId } from '../../../../../src/commands/core/commandId.ts'
import { commandOf } from '../../../../../src/commands/core/registry.ts'
import { CommandForm } from '../../../../../src/commands/surfaces/forms/CommandForm.tsx'
import { executor } from '../../../../../src/commands/surfaces/host/host.ts'
import { setExecutor } from '../../../../../src/commands/surfaces/run/run.ts'
import { preferences } from '../../../../../src/store/preferences.ts'
import { selections } from '../../../../../src/store/selection.ts'
import { clearSession, setSession } from '../../../../../src/store/session.ts'
import { until } from '../../../../support/until.ts'

const id = '30:AE:A4:04:74:8C'
const values = { smart: 'balanced', mode: 1, frequency: 5, duration: 18, volume: 2 }
let bodies: unknown[]
let answer: () => Response | Promise<Response>
const ok = () => new Response(JSON.stringify({ data: { count: 1, total: 1, failed: [] } }))

beforeEach(() => {
  setExecutor(executor)
  bodies = []
  answer = ok
  setSession({ accessToken: 'a', refreshToken: 'r', userId: '1', userRole: 'admin', login: 'admin' })
  selections.devices.clear()
  selections.devices.add([{ name: 'x', id, vendor: 'v', company: 'C', status: 0, platform: 'esp32' }])
  vi.stubGlobal('fetch', async (_: string, options: RequestInit) => {
    bodies.push(JSON.parse(options.body as string))
    return answer()
  })
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  clearSession()
  preferences.units.volume = 'l'
})

const apply = () => screen.getByRole('button', { name: 'Apply to 1 device' })
const volume = () => screen.getByRole<HTMLInputElement>('textbox', { name: /^Volume/ })
const show = (of: CommandId = 'device.autoFlush', shown: Readonly<Record<string, unknown>> = values) =>
  render(<CommandForm command={commandOf(of)} action="Apply to 1 device" values={shown} />)

test('a form shows the current values and sends only changed ones', async () => {
  const user = userEvent.setup()
  show()
  expect(screen.getByRole('radio', { name: 'After' }).getAttribute('aria-checked')).toBe('true')
  expect(volume().value).toBe('2')
  await user.click(screen.getByRole('radio', { name: 'Before' }))
  await user.click(apply())
  await until(() => expect(bodies).toEqual([{ ids: [id], mode: 2 }]))
})

test('a form keeps the whole list of errors, and toasts show only its start', async () => {
  const user = userEvent.setup()
  const errors = Array.from({ length: 15 }, (_, index) => `Row ${index + 2}: bad`)
  answer = () => new Response(JSON.stringify({ message: errors }), { status: 400 })
  show()
  await user.click(screen.getByRole('radio', { name: 'Before' }))
  await user.click(apply())
  const list = await screen.findByRole('alert', { name: 'Errors' })
  expect([...list.children].map(({ textContent }) => textContent)).toEqual(errors)
})

test('typed values survive a failed call and are sent again', async () => {
  const user = userEvent.setup()
  show()
  answer = () => Promise.reject(new TypeError('Failed to fetch'))
  await user.clear(volume())
  await user.type(volume(), '3.5')
  await user.click(screen.getByRole('radio', { name: 'Off' }))
  await user.click(apply())
  await until(() => expect(bodies).toHaveLength(1))
  expect(volume().value).toBe('3.5')
  expect(screen.getByRole('radio', { name: 'Off' }).getAttribute('aria-checked')).toBe('true')
  answer = ok
  await user.click(await screen.findByRole('button', { name: 'Apply to 1 device' }))
  await until(() => expect(bodies).toHaveLength(2))
  expect(bodies[1]).toEqual({ ids: [id], mode: 0, volume: 3.5 })
  // After success the form has no changes.
  await until(() => expect(screen.queryByRole('button', { name: 'Reset' })).toBeNull())
})

test('what is typed while the command runs stays in the form', async () => {
  const user = userEvent.setup()
  const response = Promise.withResolvers<Response>()
  answer = () => response.promise
  show()
  await user.clear(volume())
  await user.type(volume(), '3.5')
  await user.click(screen.getByRole('radio', { name: 'Off' }))
  await user.click(apply())
  await until(() => expect(bodies).toHaveLength(1))
  await user.type(volume(), '4')
  response.resolve(ok())
  await screen.findByRole('button', { name: 'Apply to 1 device' })
  expect(volume().value).toBe('3.54')
  // What was sent and not typed anew is no change any more.
  answer = ok
  await user.click(apply())
  await until(() => expect(bodies[1]).toEqual({ ids: [id], volume: 3.54 }))
})

describe('messages of section 5', () => {
  test.each([
    ['101', 'Volume must be less than or equal to 100'],
    ['-1', 'Volume must be greater than or equal to 0'],
    ['much', 'Volume must be a number'],
  ])('a volume of %s is refused', async (typed, message) => {
    const user = userEvent.setup()
    show()
    await user.clear(volume())
    await user.type(volume(), typed)
    await user.click(apply())
    expect((await screen.findByRole('alert')).textContent).toBe(message)
    expect(volume().getAttribute('aria-invalid')).toBe('true')
    await until(() => expect(document.activeElement).toBe(volume()))
    expect(bodies).toEqual([])
    await user.type(volume(), '0')
    expect(screen.queryByRole('alert')).toBeNull()
  })

  test('a setting that must be chosen is required', async () => {
    const user = userEvent.setup()
    show('device.uv', {})
    await user.click(apply())
    expect((await screen.findByRole('alert')).textContent).toBe('UV mode is required')
    expect(bodies).toEqual([])
  })

  test('at least one setting must be chosen', async () => {
    const user = userEvent.setup()
    show('device.autoFlush', {})
    await user.click(apply())
    expect((await screen.findByRole('alert')).textContent).toBe('Choose at least one setting')
    expect(bodies).toEqual([])
  })
})

test('the limit of an amount is in the chosen unit', async () => {
  preferences.units.volume = 'gal'
  const user = userEvent.setup()
  show()
  await user.clear(volume())
  await user.type(volume(), '30')
  await user.click(apply())
  await until(() => expect(screen.getByRole('alert').textContent).toContain('less than or equal to 26.417'))
  expect(bodies).toEqual([])
})

test('an amount is typed in the chosen unit and sent in litres', async () => {
  preferences.units.volume = 'gal'
  const user = userEvent.setup()
  show()
  expect(volume().value).toBe('0.528')
  await user.clear(volume())
  await user.type(volume(), '1')
  await user.click(apply())
  await until(() => expect(bodies).toEqual([{ ids: [id], volume: expect.closeTo(3.785411784, 9) as number }]))
})

test('a form that is remounted for another target keeps the focus', async () => {
  const form = (key: string) => <CommandForm key={key} command={commandOf('device.autoFlush')} action="Apply" />
  const { rerender } = render(form('one'))
  volume().focus()
  const before = volume()
  rerender(form('other'))
  expect(volume()).not.toBe(before)
  expect(document.activeElement).toBe(volume())
  // It does not take the focus from elsewhere.
  volume().blur()
  rerender(form('third'))
  expect(document.activeElement).toBe(document.body)
})

test('without devices a form shows the reason and cannot be submitted', () => {
  selections.devices.clear()
  show()
  expect(screen.getByText('At least one device must be selected')).toBeTruthy()
  expect((apply() as HTMLButtonElement).disabled).toBe(true)
})
