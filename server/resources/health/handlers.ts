/** Endpoints of health. */
import type { Handler } from '../../endpoints/handler.ts'
import { reset, restore } from './baseline.ts'
import { coverage } from './coverage.ts'
import { ofDevice } from './deviceHealth.ts'
import { findingGroups } from './findingGroups.ts'
import { list, newest, notified, shelve, verdict } from './findings.ts'
import { newestSupplyChanges } from './supplyChanges.ts'
import { movers } from './movers.ts'
import { plan, planOfDevices } from './plan.ts'
import { summary } from './summary.ts'
import { setWater, supplies } from './supplies.ts'

export const healthHandlers: readonly Handler[] = [
  ofDevice,
  summary,
  coverage,
  newest,
  notified,
  findingGroups,
  movers,
  newestSupplyChanges,
  plan,
  planOfDevices,
  supplies,
  setWater,
  list,
  shelve,
  verdict,
  reset,
  restore,
]
