/** The command that updates firmware, and the versions to choose from. */
import * as z from 'zod/mini'
import { call } from '../../api/client.ts'
import { devices } from '../../api/contract/devices.ts'
import { withMeta } from '../../api/contract/fields.ts'
import { newestFirst } from '../../domain/jobs/versions.ts'
import { isPlaceholder, type DeviceItem } from '../../store/selection.ts'
import { defineCommand } from '../core/defineCommand.ts'
import type { Choices, Option } from '../core/types.ts'
import { deviceCommand } from './shared.ts'
import { bulkOperation } from '../core/execution/operation.ts'
import { confirmQuestion, countOf, doneMessage } from '../core/wording.ts'
import { formatNumber } from '../../domain/format.ts'

/** Returns the versions that can be installed on one device; the installed one is marked. */
async function versionsForOne({ id }: DeviceItem, signal: AbortSignal): Promise<readonly Option[]> {
  const { firmware, firmware_versions } = await call(devices.detail, { params: { bssid: id }, signal })
  return firmware_versions.map(version => ({
    value: version,
    name: version,
    ...(version === firmware && { detail: 'installed' }),
  }))
}

/**
 * Returns the versions for the platforms of all targets, the one for most devices first. A version that does not fit
 * all targets has a detail with its platforms and device count.
 */
async function versionsForMany(targets: readonly DeviceItem[], signal: AbortSignal): Promise<readonly Option[]> {
  const counts = new Map<string, number>()
  for (const { platform } of targets) counts.set(platform, (counts.get(platform) ?? 0) + 1)
  const supported = new Map<string, { count: number; platforms: string[] }>()
  for (const { platform, versions } of await call(devices.firmwareVersions, { signal }))
    for (const version of counts.has(platform) ? versions : []) {
      const previous = supported.get(version) ?? { count: 0, platforms: [] }
      supported.set(version, {
        count: previous.count + (counts.get(platform) ?? 0),
        platforms: [...previous.platforms, platform],
      })
    }
  const byCount = [...supported].sort(([, a], [, b]) => b.count - a.count)
  return byCount.map(([version, { count, platforms }]) => ({
    value: version,
    name: version,
    ...(count < targets.length && {
      detail: `${platforms.join(', ')} · ${formatNumber(count)} of ${countOf(targets.length, 'devices')}`,
    }),
  }))
}

/** Returns the versions for all platforms, newest first, for the matches of a search, whose platforms are not known. */
async function versionsForMatches(signal: AbortSignal): Promise<readonly Option[]> {
  const all = await call(devices.firmwareVersions, { signal })
  const versions = new Set(all.flatMap(platform => platform.versions))
  return newestFirst([...versions].map(version => ({ version }))).map(({ version }) => {
    const platforms = all.filter(platform => platform.versions.includes(version)).map(({ platform }) => platform)
    return { value: version, name: version, ...(platforms.length < all.length && { detail: platforms.join(', ') }) }
  })
}

export const versionChoices: Choices = async ({ targets }, query, signal) => {
  const all = targets('devices')
  const [first] = all
  if (!first) return []
  const options = await (all.some(isPlaceholder)
    ? versionsForMatches(signal)
    : all.length === 1
      ? versionsForOne(first, signal)
      : versionsForMany(all, signal))
  return options.filter(({ name }) => name.includes(query.trim()))
}

export const firmwareCommands = [
  defineCommand({
    ...deviceCommand,
    id: 'device.updateFirmware',
    title: 'Update firmware',
    group: 'settings',
    icon: 'firmware',
    keys: 's w',
    keywords: ['upgrade', 'version', 'software', 'ota'],
    on: ['settings', 'row'],
    endpoint: devices.updateFirmwareOfMany,
    args: z.object({ version: withMeta(z.string(), { label: 'Version' }) }),
    choices: { version: versionChoices },
    confirm: (targets, { version }) => ({
      ...confirmQuestion(
        'Update the firmware of',
        `Devices do not accept commands while they install version ${version}.`,
        'devices',
        targets,
      ),
      action: `Update ${countOf(targets.length, 'devices')}`,
    }),
    operation: ({ version }) => bulkOperation(devices.updateFirmwareOfMany, { version }),
    // A version that is no longer available, and one that does not fit, are skipped with the reason.
    undo: input => ({ id: 'device.updateFirmware', input }),
    progressTitle: 'Starting updates',
    done: doneMessage('Updating the firmware of', 'devices'),
  }),
]
