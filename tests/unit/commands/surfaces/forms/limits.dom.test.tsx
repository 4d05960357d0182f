/** Values that a form refuses: the message is at its field, which gets the focus and keeps the value, and nothing is sent. */
import { cleanup, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { executor } from '../../../../../src/commands/surfaces/host/host.ts'
import { setExecutor } from '../../../../../src/commands/surfaces/run/run.ts'
import { clearSelections } from '../../../../../src/store/selection.ts'
import { clearSession } from '../../../../../src/store/session.ts'
import { until } from '../../../../support/until.ts'
import { forms, show } from '../../../support/commandForms.tsx'

const rates = 'Bypass flow rates 1 to 4 (l/min)'

let calls = 0
beforeEach(() => {
  setExecutor(executor)
  calls = 0
  vi.stubGlobal('fetch', async (_: string, { method = 'GET' }: RequestInit) => {
    if (method !== 'GET') calls++
    return new Response(JSON.stringify({ data: { count: 0, data: [] } }))
  })
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  clearSelections()
  clearSession()
})

/** Returns the texts that describe a control. */
const description = (control: HTMLElement) =>
  (control.getAttribute('aria-describedby') ?? '')
    .split(' ')
    .map(id => document.getElementById(id)?.textContent ?? '')
    .join(' ')

test.each([
  ['admins.create', 'Login must be at most 254 characters', 'Login', 'x'.repeat(255)],
  ['admins.create', 'Password must be at least 8 characters', 'Password', 'seven77'],
  ['admins.create', 'Password must be at most 128 characters', 'Password', 'x'.repeat(129)],
  ['admins.create', 'Passwords must match', 'Repeat password', 'another one'],
  ['vendors.changePassword', 'Passwords must match', 'Repeat password', 'another one'],
  ['profile.password.vendor', 'Passwords must match', 'Repeat password', 'another one'],
  ['vendors.edit', 'Description must be at most 2000 characters', 'Description', 'x'.repeat(2001)],
  ['filtrationSystems.edit', 'Volume must be less than or equal to 100', 'Volume (l)', '100.5'],
  ['filtrationSystems.edit', 'Volume must be greater than or equal to 0', 'Volume (l)', '-1'],
  ['cartridgeTypes.edit', 'Lifetime must be greater than or equal to 1', 'Lifetime (days)', '0'],
  ['cartridgeTypes.edit', 'Lifetime must be less than or equal to 3650', 'Lifetime (days)', '3651'],
  ['cartridgeTypes.edit', 'Lifetime must be an integer', 'Lifetime (days)', '1.5'],
  ['cartridgeTypes.edit', 'Lifetime must be a number', 'Lifetime (days)', 'soon'],
  ['cartridgeTypes.edit', 'Resource must be less than or equal to 1000000', 'Resource (l)', '1000001'],
  ['cartridgeTypes.edit', 'Purchase link must be a web address', 'Purchase link', 'not an address'],
  ['models.create', 'Bypass flow rates 1 to 4 must be less than or equal to 100', rates, '0 0.5 101 2'],
  ['models.create', 'Bypass flow rates 1 to 4 must be greater than or equal to 0', rates, '0 -1 0 0'],
  ['device.waterAnalysis', 'pH must be less than or equal to 11', 'pH', '12'],
])('in %s: %s', async (id, message, label, typed) => {
  const user = userEvent.setup()
  const form = show(id, forms[id]!)
  const field = screen.getByLabelText<HTMLInputElement>(label)
  await user.clear(field)
  await user.click(field)
  await user.paste(typed)
  form.querySelector<HTMLElement>('input, textarea')!.focus()
  await user.keyboard('{Control>}{Enter}{/Control}')
  await until(() => expect(description(field)).toBe(message))
  expect(field.getAttribute('aria-invalid')).toBe('true')
  await until(() => expect(document.activeElement).toBe(field))
  expect(field.value).toBe(typed)
  expect(calls).toBe(0)
})
