/**
 * Laws of all forms: a required field that was emptied is named and nothing is sent, and an unchanged form has nothing to
 * save.
 */
import { cleanup, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Field } from '../../../../../src/commands/core/types.ts'
import { controlOf } from '../../../../../src/commands/core/fields.ts'
import { commands } from '../../../../../src/commands/core/registry.ts'
import { executor } from '../../../../../src/commands/surfaces/host/host.ts'
import { setExecutor } from '../../../../../src/commands/surfaces/run/run.ts'
import { clearSelections } from '../../../../../src/store/selection.ts'
import { clearSession } from '../../../../../src/store/session.ts'
import { until } from '../../../../support/until.ts'
import { changing, commandOf, creating, forms, show } from '../../../support/commandForms.tsx'

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
