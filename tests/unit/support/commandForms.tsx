/** The forms of all commands, with values that they show at first or that a person may have entered. */
import { render, screen } from '@testing-library/react'
import { useState } from 'react'
import type { Command } from '../../../src/commands/core/types.ts'
import { findCommand } from '../../../src/commands/core/registry.ts'
import { CommandForm } from '../../../src/commands/surfaces/forms/CommandForm.tsx'
import type { Edits } from '../../../src/commands/surfaces/forms/formInput.ts'
import type { RowEntity } from '../../../src/store/lists.ts'
import { selections } from '../../../src/store/selection.ts'
import { setSession } from '../../../src/store/session.ts'

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
export const changing: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
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
export const creating: typeof changing = {
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
export const forms = { ...changing, ...creating }

export const commandOf = (id: string) => findCommand(id)!

/** Selects one row of the command's list, signs in as a role that may run it, and shows its form. */
export function show(id: string, values: Readonly<Record<string, unknown>>): HTMLFormElement {
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
