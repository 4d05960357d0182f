/** Each notification type suggests one existing command with its arguments. */
import { beforeEach, describe, expect, test } from 'vitest'
import type { Notification } from '../../../../src/api/contract/notifications.ts'
import { notificationTypes } from '../../../../src/domain/notifications/types.ts'
import { suggestedAction } from '../../../../src/commands/notifications/suggestedActions.ts'
import type { Context } from '../../../../src/commands/core/context.ts'
import { commandOf } from '../../../../src/commands/core/registry.ts'
import { notificationDefinitions } from '../../../../src/domain/notifications/definitions.ts'
import { notificationGroups, notificationValue } from '../../../../src/domain/notifications/texts.ts'
import { defaultUnits } from '../../../../src/domain/units.ts'

const device = { bssid: 'FE:E2:00:00:00:01', description: 'Kitchen', company_name: 'Clearspring Oy' }
const of = (type: Notification['type'], values: Notification['values'] = { version: '2.2.3' }): Notification => ({
  _id: '1',
  type,
  device,
  created_at: '2026-11-20T10:00:00.000Z',
  values,
})

/** The context whose only target is the notification's device. */
let context: Context
beforeEach(() => {
  const item = { id: device.bssid, name: device.bssid, vendor: 'v', company: 'C', status: 4, platform: 'esp32' }
  context = {
    role: 'vendor',
    path: '/notifications',
    list: undefined,
    targets: (() => [item]) as unknown as Context['targets'],
    last: undefined,
  }
})

describe.each(notificationTypes)('%s', type => {
  test('has a text, and is in one group of the filter', () => {
    expect(notificationDefinitions[type].text).not.toBe('')
    expect(notificationGroups.filter(({ types }) => types.includes(type))).toHaveLength(1)
  })

  test('suggests a command that is ready, with all arguments except a choice of the person', () => {
    const { command: id, input, title } = suggestedAction(type)
    const command = commandOf(id)
    expect(title.length).toBeLessThan(20)
    expect(command.availability(context)).toEqual({ is: 'ready' })
    const given = input?.(of(type))
    if (given !== undefined) expect(() => command.prepare(context, given)).not.toThrow()
    else expect(command.fields.map(({ name }) => name)).toEqual(id === 'device.idleProtection' ? ['duration'] : [])
  })
})

test('an action that interrupts the water asks for confirmation', () => {
  for (const type of ['leak', 'pump_failure', 'firmware_available'] as const) {
    const { command, input } = suggestedAction(type)
    expect(commandOf(command).prepare(context, input?.(of(type)) ?? {}).question?.danger, type).toBe(true)
  }
  expect(commandOf('device.valve').prepare(context, suggestedAction('leak').input?.(of('leak'))).question?.title).toBe(
    `Close the valve of ${device.bssid}?`,
  )
})

test('values are in the chosen units', () => {
  const { values } = of('temperature_high', { temperature: 39.2 })
  expect(notificationValue('temperature_high', values, defaultUnits)).toBe('39.2 °C')
  expect(notificationValue('temperature_high', values, { ...defaultUnits, temperature: 'F' })).toBe('102.6 °F')
})
