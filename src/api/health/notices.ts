/** The findings that appear among the notifications: open ones that need work, if their cause is sure enough. */
import { useEffect } from 'react'
import useSWR from 'swr'
import type { FindingNotice } from '../../store/notificationsView.ts'
import { call } from '../client.ts'
import { findings, type Finding } from '../contract/findings.ts'
import { useRefreshOptions } from '../hooks.ts'
import { showFindings } from '../notificationFeed.ts'

/** Confidence in % from which a finding is told. */
const toldFrom = 80
/** Findings that are read at most; the list of findings has all. */
const maxRead = 200

const query = {
  search: 'Act',
  column: 'severity',
  operator: 'eq',
  sort: 'detected_at',
  direction: 'desc',
  limit: maxRead,
} as const

const isTold = ({ state, confidence }: Finding) => state === 'open' && confidence >= toldFrom

const noticeOf = (finding: Finding): FindingNotice => ({
  _id: `finding-${finding._id}`,
  type: 'finding',
  device: { bssid: finding.bssid, description: '', company_name: finding.vendor.company_name },
  created_at: finding.detected_at,
  finding,
})

const none: readonly FindingNotice[] = []

/** Shows findings among the notifications: of all devices, or only of those with these ids. */
export function useFindingNotices(isOn: boolean, devices: readonly string[] | undefined): void {
  const { data } = useSWR(
    isOn ? [findings.list.path, query] : null,
    async () => (await call(findings.list, { query })).data.filter(isTold).map(noticeOf),
    useRefreshOptions(),
  )
  useEffect(() => {
    const rows = isOn ? (data ?? none) : none
    showFindings(devices ? rows.filter(({ device }) => devices.includes(device.bssid)) : rows)
  }, [isOn, data, devices])
}
