/** The findings that appear among the notifications: open ones that need work, if their cause is sure enough. */
import { useEffect } from 'react'
import useSWR from 'swr'
import type { FindingNotice, FindingsNotice } from '../../store/notificationsView.ts'
import { call } from '../client.ts'
import { findings, type Finding } from '../contract/findings.ts'
import { health } from '../contract/health/endpoints.ts'
import type { FindingGroup } from '../contract/health/fleet.ts'
import { useRefreshOptions } from '../hooks.ts'
import { showFindings } from '../notificationFeed.ts'
import { groupsByFinding, lineIdOf } from './findingGroups.ts'

/** Findings that are read at most, of which open ones come first; the list of findings has all. */
const maxRead = 200

const query = {
  search: 'Act',
  column: 'severity',
  operator: 'eq',
  limit: maxRead,
} as const

/** A finding that has been told, and when. */
type ToldFinding = Finding & { readonly told_at: string }

const isTold = (finding: Finding): finding is ToldFinding => finding.state === 'open' && finding.told_at !== null

const noticeOf = (finding: ToldFinding): FindingNotice => ({
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
  const told = members.map(({ created_at }) => created_at).toSorted()
  return {
    _id: lineIdOf(group),
    type: 'findings',
    device: members[0]!.device,
    created_at: told[0]!,
    group,
    members,
    incident: { devices: group.devices, last_at: told.at(-1)! },
  }
}

const none: readonly (FindingNotice | FindingsNotice)[] = []

/** Shows findings among the notifications: of all devices, or only of those with these ids. */
export function useFindingNotices(isOn: boolean, devices: readonly string[] | undefined): void {
  const { data } = useSWR(
    isOn ? [findings.list.path, query] : null,
    async () => {
      const [{ data: found }, groups] = await Promise.all([call(findings.list, { query }), call(health.findingGroups)])
      return { notices: found.filter(isTold).map(noticeOf), groups }
    },
    useRefreshOptions(),
  )
  useEffect(() => {
    if (!isOn || !data) return showFindings(none)
    const shown = devices ? data.notices.filter(({ device }) => devices.includes(device.bssid)) : data.notices
    showFindings(collapse(shown, data.groups))
  }, [isOn, data, devices])
}
