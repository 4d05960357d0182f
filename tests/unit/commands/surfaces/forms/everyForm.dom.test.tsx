/**
 * Laws of all forms: a required field that was emptied is named and nothing is sent, and an unchanged form has nothing to
 * save. `forms` has the values that each form shows at first.
 */
import { cleanup, fireEvent, render, screen, within } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Command, Field } from '../../../../../src/commands/core/types.ts'
import { controlOf } from '../../../../../src/commands/core/fields.ts'
import { commands, findCommand } from '../../../../../src/commands/core/registry.ts'
import { CommandForm } from '../../../../../src/commands/surfaces/forms/CommandForm.tsx'
import type { Edits } from '../../../../../src/commands/surfaces/forms/formInput.ts'
import { executor } from '../../../../../src/commands/surfaces/host/host.ts'
import { setExecutor } from '../../../../../src/commands/surfaces/run/run.ts'
import type { RowEntity } from '../../../../../src/store/lists.ts'
import { clearSelections, selections } from '../../../../../src/store/selection.ts'
import { clearSession, setSession } from '../../../../../src/store/session.ts'
import { until } from '../../../../support/until.ts'

const person = { login: 'vera', first_name: 'Vera', last_name: 'Wells' }
const company = { company_name: 'Acme Water', company_address: '1 Spring Street', description: 'First floor' }
const newPassword = { password: 'a long enough one', repeat: 'a long enough one' }
const acme = { value: 'v', name: 'Acme Water' }
const flush = { smart: 'balanced', mode: 1, frequency: 5, duration: 18, volume: 2 }
const model = {
  name: 'RO-400',
  platform: 'esp32',
  capabilities: ['flush'],
  bypass_flow_rates: [1, 2, 3, 4],
  vendors: [acme],
}

/** The forms that change something, with the values that are stored. */
const changing: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'models.edit': model,
  'filtrationSystems.edit': {
    ...flush,
    model: 'FS-400',
    group: { value: 'g', name: 'Countertop' },
    cartridges: [{ value: 'c', name: 'PP-5' }],
    flushing: true,
  },
  'groups.edit': { name: 'Countertop' },
  'cartridgeTypes.edit': {
    model: 'PP-5',
    type: 0,
    resource: 8000,
    ttl: 180,
    name: 'Sediment filter',
    description: 'Five micron',
    purchase_url: 'https://example.com/a',
    image_url: 'https://example.com/b',
  },
  'vendors.edit': { ...person, ...company },
  'profile.edit.admin': { ...person, current_password: undefined },
  'profile.edit.vendor': { ...person, ...company, current_password: undefined },
  'device.autoFlush': flush,
  'device.idleProtection': { duration: 30 },
  'device.bypass': { smart: 1, state: 2 },
  'device.uv': { mode: 1 },
  'device.timeZone': { time_zone: { value: 'Europe/Berlin', name: 'Europe/Berlin' } },
  'device.waterSupply': { water_supply: { value: 'Harbour main', name: 'Harbour main' } },
  'device.waterAnalysis': { calcium_hardness: 280, alkalinity: 220, ph: 7.7 },
  'device.description': { description: 'Kitchen' },
}

/** The forms without stored values: what they create or set, with values that a person may have entered. */
const creating: typeof changing = {
  'models.create': model,
  'admins.create': { ...person, ...newPassword },
  'vendors.create': { ...person, ...company, ...newPassword },
  'admins.changePassword': newPassword,
  'vendors.changePassword': newPassword,
  'profile.password.admin': { current_password: 'the one before', ...newPassword },
  'profile.password.vendor': { current_password: 'the one before', ...newPassword },
  'calendar.create': {
    title: 'Filter change',
    description: 'Bring a wrench',
    start: '2026-03-29T09:00:00Z',
    end: '2026-03-29T10:00:00Z',
    devices: [{ value: '30:AE:A4:04:74:8C', name: '30:AE:A4:04:74:8C' }],
  },
  'device.upload': {},
  'filtrationSystems.upload': {},
  'groups.upload': {},
  'cartridgeTypes.upload': {},
  'device.model': { model: { value: 'm', name: 'RO-400' } },
  'device.filtrationSystem': { filtration_system: { value: 's', name: 'FS-400' } },
  'device.updateFirmware': { version: { value: '2.2.3', name: '2.2.3' } },
  'filtrationSystems.assign': { vendor: acme },
}
const forms = { ...changing, ...creating }

/** The fields that may be emptied, or have no empty state because they are chosen from a few options. */
const mayBeEmpty = new Set([
  'description',
  'purchase_url',
  'image_url',
  'group',
  'time_zone',
  'water_supply',
  'cartridges',
  'capabilities',
])
/** The specification's own words for a missing choice. */
const ownMessages: Readonly<Record<string, string>> = {
  'models.create vendors': 'At least one vendor must be selected',
  'models.edit vendors': 'At least one vendor must be selected',
  'calendar.create devices': 'At least one device must be selected',
  'filtrationSystems.assign vendor': 'Please select one vendor',
}

const commandOf = (id: string) => findCommand(id)!
const fieldsOf = (ids: readonly string[]) =>
  ids.flatMap(id => commandOf(id).fields.map(field => ({ id, name: field.name, field })))
/** Whether the current password is needed depends on what else is changed, where it is optional. */
const dependsOnOthers = ({ name, optional }: Field) => name === 'current_password' && optional
const required = (field: Field) =>
  !mayBeEmpty.has(field.name) && controlOf(field).kind !== 'choice' && !dependsOnOthers(field)

let sent: string[]
beforeEach(() => {
  setExecutor(executor)
  sent = []
  vi.stubGlobal('fetch', async (url: string, { method = 'GET' }: RequestInit) => {
    if (method !== 'GET') sent.push(`${method} ${url}`)
    return new Response(JSON.stringify({ data: { count: 0, data: [] } }))
  })
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  clearSelections()
  clearSession()
})

/** Selects one row of the command's list, signs in as a role that may run it, and shows its form. */
function show(id: string, values: Readonly<Record<string, unknown>>): HTMLFormElement {
  const command = commandOf(id)
  const [role] = command.roles
  setSession({ accessToken: 'a', refreshToken: 'r', userId: '1', userRole: role!, login: 'someone' })
  const device = { name: 'x', id: '30:AE:A4:04:74:8C', vendor: 'v', company: 'C', status: 0, platform: 'esp32' }
  selections.devices.add([device])
  if (command.entity && command.entity !== 'devices')
    selections[command.entity as RowEntity].add([{ id: 'one', name: 'One', row: { _id: 'one' } as never }])
  const shownAtFirst = id in changing || id === 'calendar.create'
  render(<Form command={command} values={shownAtFirst ? values : {}} entered={shownAtFirst ? {} : values} />)
  return screen.getByRole<HTMLFormElement>('form')
}

/** A form with its stored values, or with values that a person has entered. */
function Form({ entered, ...props }: { command: Command; values: Edits; entered: Edits }) {
  const [edits, setEdits] = useState(entered)
  return <CommandForm {...props} action="Save" edits={edits} onEdits={setEdits} />
}

/** Empties a field by its controls. */
function empty(form: HTMLFormElement, field: Field) {
  const { label } = field
  const chosen = within(form).queryByRole('list', { name: `Selected: ${label}` })
  for (const button of chosen ? within(chosen).getAllByRole('button') : []) fireEvent.click(button)
  const input = within(form).queryByLabelText<HTMLInputElement>(text => text === label || text.startsWith(`${label} (`))
  if (input && input.value !== '') fireEvent.change(input, { target: { value: '' } })
}

test('every command that a form shows is among the forms', () => {
  const surfaces = ['settings', 'update', 'assign', 'create', 'profile'] as const
  const shown = commands.filter(command => command.fields.length > 0 && surfaces.some(on => command.on.includes(on)))
  expect([...shown.map(({ id }) => id), 'calendar.create'].toSorted()).toEqual(Object.keys(forms).toSorted())
  for (const id of Object.keys(changing))
    expect(Object.keys(forms[id]!).toSorted(), id).toEqual(
      commandOf(id)
        .fields.map(({ name }) => name)
        .toSorted(),
    )
})

describe('an emptied required field is required, and nothing is sent', () => {
  test.each(fieldsOf(Object.keys(changing)).filter(({ field }) => required(field)))(
    'in $id: $name',
    async ({ id, field }) => {
      const form = show(id, forms[id]!)
      empty(form, field)
      fireEvent.submit(form)
      const message = ownMessages[`${id} ${field.name}`] ?? `${field.label} is required`
      await until(() => expect(screen.getByRole('alert').textContent).toBe(message))
      expect(sent).toEqual([])
    },
  )

  test.each(fieldsOf(Object.keys(creating)).filter(({ field }) => required(field)))(
    'in $id: $name, never entered or entered and emptied',
    async ({ id, field }) => {
      const others = Object.fromEntries(Object.entries(forms[id]!).filter(([name]) => name !== field.name))
      const message = ownMessages[`${id} ${field.name}`] ?? `${field.label} is required`
      const shown = () => screen.getAllByRole('alert').map(({ textContent }) => textContent)
      // The calendar's command takes the selected devices if none are entered.
      if (!field.optional) {
        fireEvent.submit(show(id, others))
        await until(() => expect(shown()).toContain(message))
        cleanup()
      }
      const other = show(id, forms[id]!)
      empty(other, field)
      fireEvent.submit(other)
      if (controlOf(field).kind !== 'file') await until(() => expect(shown()).toContain(message))
      expect(sent).toEqual([])
    },
  )
})

test.each(fieldsOf(Object.keys(forms)))('in $id, $name says whether it is required', ({ id, field }) => {
  const form = show(id, forms[id]!)
  const { label } = field
  const [control] = within(form).getAllByLabelText(
    text => text === label || text.startsWith(`${label} (`) || text.startsWith('File'),
  )
  if (controlOf(field).kind !== 'choice' && controlOf(field).kind !== 'set')
    expect(control!.getAttribute('aria-required')).toBe(required(field) ? 'true' : null)
  const isMarked = within(form).queryAllByText('Optional').length > 0
  if (commandOf(id).fields.every(required)) expect(isMarked).toBe(false)
  if (id === 'vendors.create') expect(isMarked).toBe(true)
})

test.each(Object.entries(changing))('%s has nothing to save while it is unchanged', async (id, values) => {
  const form = show(id, values)
  fireEvent.submit(form)
  await until(() => expect(screen.getByRole('alert').textContent).toBe('Nothing to save'))
  // A field that was emptied and restored is unchanged too.
  for (const input of within(form).queryAllByRole<HTMLInputElement>('textbox')) {
    const { value } = input
    fireEvent.change(input, { target: { value: '' } })
    fireEvent.change(input, { target: { value } })
  }
  fireEvent.submit(form)
  await until(() => expect(screen.getByRole('alert').textContent).toBe('Nothing to save'))
  expect(sent).toEqual([])
})

test.each(Object.keys(changing).filter(id => !id.startsWith('device.') && id !== 'groups.edit'))(
  '%s without any argument has nothing to save, also in the palette and in scripts',
  id => {
    expect(commandOf(id).check({})).toEqual({ '': 'Nothing to save' })
  },
)

test.each(['profile.edit.admin', 'profile.edit.vendor'])('%s asks for the password to change the login', id => {
  expect(commandOf(id).check({ login: 'elsewhere@example.com' })).toEqual({
    current_password: 'Current password is required',
  })
  expect(commandOf(id).check({ login: 'elsewhere@example.com', current_password: 'it' })).toBeUndefined()
  expect(commandOf(id).check({ first_name: 'Ada' })).toBeUndefined()
})

test.each([
  ['filtrationSystems.edit', 'group', { group: null }],
  ['device.timeZone', 'time_zone', { ids: ['30:AE:A4:04:74:8C'], time_zone: null }],
  ['device.waterSupply', 'water_supply', { ids: ['30:AE:A4:04:74:8C'], water_supply: null }],
  ['cartridgeTypes.edit', 'description', { description: '' }],
  ['vendors.edit', 'description', { description: '' }],
] as const)('%s saves an emptied %s', async (id, name, body) => {
  const bodies: unknown[] = []
  vi.stubGlobal('fetch', async (_: string, { method = 'GET', body: given }: RequestInit) => {
    if (method !== 'GET') bodies.push(JSON.parse(given as string))
    return new Response(JSON.stringify({ data: { count: 1, total: 1, failed: [], data: [] } }))
  })
  const form = show(id, forms[id]!)
  empty(
    form,
    commandOf(id).fields.find(field => field.name === name)!,
  )
  fireEvent.submit(form)
  await until(() => expect(bodies).toEqual([body]))
})
