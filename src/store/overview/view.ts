/** What the overview shows of the alarms, and of groups of devices. */
import { proxy } from 'valtio'
import { isFlag, isOneOf } from '../../domain/lib/checks.ts'
import { loadDays, type LoadRange } from '../../domain/notifications/alarmLoad.ts'
import { persist } from '../persist.ts'

export const loadRanges = Object.keys(loadDays) as [LoadRange, ...LoadRange[]]

interface OverviewView {
  range: LoadRange
  /** Whether a table is shown instead of the bars. */
  table: boolean
  /** Whether all groups are shown, not only those with the most to do. */
  allGroups: boolean
}

export const overviewView = proxy<OverviewView>({ range: 'week', table: false, allGroups: false })
persist('overview', overviewView, { range: isOneOf(loadRanges), table: isFlag })
