/** What the overview shows of the alarms. */
import { proxy } from 'valtio'
import * as z from 'zod/mini'
import { loadDays, type LoadRange } from '../../domain/notifications/alarmLoad.ts'
import { persist } from '../persist.ts'

export const loadRanges = Object.keys(loadDays) as [LoadRange, ...LoadRange[]]

interface OverviewView {
  range: LoadRange
  /** Whether a table is shown instead of the bars. */
  table: boolean
}

export const overviewView = proxy<OverviewView>({ range: 'week', table: false })
persist('overview', overviewView, z.partial(z.object({ range: z.enum(loadRanges), table: z.boolean() })))
