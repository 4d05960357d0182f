/** Commands that set and remove the water analysis of the supplies that devices are on. */
import * as z from 'zod/mini'
import { health } from '../../api/contract/health/endpoints.ts'
import { SupplyWater } from '../../api/contract/health/water.ts'
import type { PreviousValues } from '../../api/contract/endpoint.ts'
import type { Question } from '../../domain/commands/question.ts'
import { analysisText } from '../../domain/health/water/waterTexts.ts'
import type { DeviceItem } from '../../store/selection.ts'
import { defineCommand } from '../core/defineCommand.ts'
import { bulkOperation } from '../core/execution/operation.ts'
import type { Invocation, Outcome } from '../core/runs/outcome.ts'
import { countOf, nameOrCount } from '../core/wording.ts'
import { deviceRecordCommand } from './shared.ts'
import { formatNumber } from '../../domain/format.ts'

/** Values that a call replaced, or that an undo restores: `water_supply` is the supply that they belong to. */
const EarlierWater = z.object({ water: z.nullable(SupplyWater), water_supply: z.string() })

const restore = (earlier: PreviousValues['values']): Invocation => ({
  id: 'device.restoreWaterAnalysis',
  input: earlier,
})

/** Asks before a change, because it concerns more devices than the selected ones. */
const question = (verb: string, targets: readonly DeviceItem[], text: string): Question => ({
  title: `${verb} the water analysis for ${nameOrCount(targets, 'devices')}?`,
  text,
  action: `${verb} water analysis`,
  type: undefined,
  danger: false,
})
const scope = 'It applies to all devices on the same water supply. Their findings are updated within a minute.'

const done =
  (verb: string) =>
  (outcome: Outcome, total: number): string =>
    `${verb} the water analysis for the supply of ${formatNumber(outcome.done.length)} of ${countOf(total, 'devices')}`

const waterCommand = {
  ...deviceRecordCommand,
  group: 'settings',
  icon: 'supply',
  endpoint: health.setWater,
  undo: restore,
  progressTitle: 'Updating supplies',
} as const

export const waterCommands = [
  defineCommand({
    ...waterCommand,
    id: 'device.waterAnalysis',
    title: 'Set water analysis',
    keys: 's a',
    keywords: ['water supply', 'hardness', 'alkalinity', 'ph', 'langelier', 'scaling', 'limescale', 'carbonate'],
    on: ['settings'],
    effect: 'get this analysis, with all devices on their supply',
    args: SupplyWater,
    confirm: (targets, { calcium_hardness, alkalinity, ph }) =>
      question(
        'Set',
        targets,
        `Calcium hardness ${analysisText(calcium_hardness)} and alkalinity ${analysisText(alkalinity)} mg/l as CaCO₃, pH ${analysisText(ph)}. ${scope}`,
      ),
    operation: water => bulkOperation(health.setWater, { water }),
    done: done('Set'),
  }),
  defineCommand({
    ...waterCommand,
    id: 'device.removeWaterAnalysis',
    title: 'Remove water analysis',
    keywords: ['water supply', 'hardness', 'delete', 'clear', 'unknown'],
    effect: 'have no analysis, with all devices on their supply',
    confirm: targets => question('Remove', targets, scope),
    operation: () => bulkOperation(health.setWater, { water: null }),
    done: done('Removed'),
  }),
  defineCommand({
    ...waterCommand,
    id: 'device.restoreWaterAnalysis',
    title: 'Restore water analysis',
    keysOnly: true,
    args: EarlierWater,
    // A device that is on another supply by then is left out.
    operation: ({ water, water_supply }) => bulkOperation(health.setWater, { water, water_supply }),
    done: done('Restored'),
  }),
]
