/**
 * What health adds to the notifications: open findings that need work, if their cause is sure enough, and changes that the devices of
 * a supply share.
 */
import { useEffect } from 'react'
import useSWR from 'swr'
import type { FindingNotice, FindingsNotice, HealthNotice, SupplyNotice } from '../../store/notificationsView.ts'
import { call } from '../client.ts'
import type { Finding } from '../contract/findings.ts'
import { health } from '../contract/health/endpoints.ts'
import type { FindingGroup, SupplyChange } from '../contract/health/fleet.ts'
import { useRefreshOptions } from '../hooks.ts'
import { devicesQuery, showHealthNotices } from '../notificationFeed.ts'
import { groupsByFinding, lineIdOf } from './findingGroups.ts'
import { changeIdOf, isShownChange } from './supplyChanges.ts'

/** A finding that people have been notified of, and when. */
type NotifiedFinding = Finding & { readonly told_at: string }

const isNotified = (finding: Finding): finding is NotifiedFinding =>
  finding.state === 'open' && finding.told_at !== null

const noticeOf = (finding: NotifiedFinding): FindingNotice => ({
  _id: `finding-${finding._id}`,
  type: 'finding',
  device: { bssid: finding.bssid, description: finding.description, company_name: finding.vendor.company_name },
  created_at: finding.told_at,
  finding,
})

/** Minimum findings of a group, among those that are shown, that become one line. */
const minMembers = 2

/** Returns the notices with those of a group of findings in one line. */
export function collapse(
  notices: readonly FindingNotice[],
  groups: readonly FindingGroup[],
): readonly (FindingNotice | FindingsNotice)[] {
  const groupOf = groupsByFinding(groups)
  const byGroup = Map.groupBy(notices, ({ finding }) => groupOf.get(finding._id))
  return [...byGroup].flatMap(([group, members]): readonly (FindingNotice | FindingsNotice)[] =>
    group === undefined || members.length < minMembers ? members : [lineOf(group, members)],
  )
}

function lineOf(group: FindingGroup, members: readonly FindingNotice[]): FindingsNotice {
  const times = members.map(({ created_at }) => created_at).toSorted()
  return {
    _id: lineIdOf(group),
    type: 'findings',
    device: members[0]!.device,
    created_at: times[0]!,
    group,
    members,
    incident: { devices: group.devices, last_at: times.at(-1)! },
  }
}

/** Returns the line of a change of a supply. */
export const supplyNotice = (change: SupplyChange): SupplyNotice => ({
  _id: changeIdOf(change),
  type: 'supply',
  device: { bssid: '', description: '', company_name: change.vendor.company_name },
  created_at: change.told_at,
  change,
  incident: { devices: change.devices, last_at: change.told_at },
})

const none: readonly HealthNotice[] = []

/**
 * Shows findings and changes of supplies among the notifications: of all devices, or only the findings of those with these ids. What a
 * supply's devices share is about no single one.
 */
export function useHealthNotices(isOn: boolean, devices: readonly string[] | undefined): void {
  const key = isOn ? ([health.notified.path, devices && devicesQuery(devices)] as const) : null
  const { data } = useSWR(key, readNotices, useRefreshOptions())
  useEffect(() => {
    if (!isOn || !data) return showHealthNotices(none)
    showHealthNotices([...collapse(data.found, data.groups), ...(devices ? [] : data.changes)])
  }, [isOn, data, devices])
}

async function readNotices([, devices]: readonly [path: string, devices: string | undefined]) {
  const [found, groups, supplyChanges] = await Promise.all([
    call(health.notified, { query: { devices } }),
    call(health.findingGroups),
    call(health.incidents),
  ])
  const now = Date.now()
  const changes = supplyChanges.filter(change => isShownChange(change, now)).map(supplyNotice)
  return { found: found.filter(isNotified).map(noticeOf), groups, changes }
}
