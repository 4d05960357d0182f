/** Updating what runs on devices. */
import * as z from 'zod/mini'
import { call } from '../../api/client.ts'
import { devices } from '../../api/contract/devices.ts'
import { labelled } from '../../api/contract/fields.ts'
import type { DeviceItem } from '../../store/selection.ts'
import { defineCommand } from '../core/defineCommand.ts'
import type { Choices, Option } from '../core/types.ts'
import { onDevices } from './wording.ts'
import { bulkOperation } from '../core/execution/operation.ts'
import { asks, countOf, doneOf } from '../core/wording.ts'

/** The versions that one device may take; which it has is told. */
async function versionsOfOne({ id }: DeviceItem, signal: AbortSignal): Promise<readonly Option[]> {
  const { firmware, firmware_versions } = await call(devices.detail, { params: { bssid: id }, signal })
  return firmware_versions.map(version => ({
    value: version,
    name: version,
    ...(version === firmware && { detail: 'installed' }),
  }))
}

/** The versions of all their platforms, those that most may take first; where not all may, it is told how many. */
async function versionsOfMany(targets: readonly DeviceItem[], signal: AbortSignal): Promise<readonly Option[]> {
  const counts = new Map<string, number>()
  for (const { platform } of targets) counts.set(platform, (counts.get(platform) ?? 0) + 1)
  const takers = new Map<string, { count: number; platforms: string[] }>()
  for (const { platform, versions } of await call(devices.firmwareVersions, { signal }))
    for (const version of counts.has(platform) ? versions : []) {
      const before = takers.get(version) ?? { count: 0, platforms: [] }
      takers.set(version, {
        count: before.count + (counts.get(platform) ?? 0),
        platforms: [...before.platforms, platform],
      })
    }
  const likeliest = [...takers].sort(([, a], [, b]) => b.count - a.count)
  return likeliest.map(([version, { count, platforms }]) => ({
    value: version,
    name: version,
    ...(count < targets.length && {
      detail: `${platforms.join(', ')} · ${count.toLocaleString('en')} of ${countOf(targets.length, 'devices')}`,
    }),
  }))
}

export const versionChoices: Choices = async ({ targets }, query, signal) => {
  const [first, ...more] = targets('devices')
  if (!first) return []
  const options = await (more.length === 0 ? versionsOfOne(first, signal) : versionsOfMany([first, ...more], signal))
  return options.filter(({ name }) => name.includes(query.trim()))
}

export const firmwareCommands = [
  defineCommand({
    ...onDevices,
    id: 'device.updateFirmware',
    title: 'Update firmware',
    group: 'settings',
    icon: 'firmware',
    keys: 's w',
    keywords: ['upgrade', 'version', 'software', 'ota'],
    on: ['settings', 'row'],
    endpoint: devices.updateFirmwareOfMany,
    args: z.object({ version: labelled(z.string(), { label: 'Version' }) }),
    choices: { version: versionChoices },
    confirm: (targets, { version }) => ({
      ...asks(
        'Update the firmware of',
        `Version ${version} is installed on them; they take no commands meanwhile.`,
        'devices',
        targets.length,
      ),
      action: `Update ${countOf(targets.length, 'devices')}`,
    }),
    operation: ({ version }) => bulkOperation(devices.updateFirmwareOfMany, { version }),
    doing: 'Starting updates',
    done: doneOf('Updating the firmware of', 'devices'),
  }),
]
