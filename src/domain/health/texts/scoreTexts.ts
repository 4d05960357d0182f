/** How the score is computed, with the numbers of a device. */
import { formatNumber } from '../../format.ts'
import { certain, freeOf, full, lifeFrom, lifeWeight, usedUp, type ScoredChannel } from '../score.ts'
import type { ByChannel } from '../types/channels.ts'
import { channelTexts } from './channelTexts.ts'

const percent = (share: number) => formatNumber(100 * share)

/** Returns the part of the score of each channel that has one. `trends`: their changes since they were new, as ln. */
export function scoreFormulas(trends: ByChannel<{ readonly level: number }>): string[] {
  return (Object.keys(full) as ScoredChannel[]).flatMap(channel => {
    const trend = trends[channel] ?? (channel === 'b' ? trends.brief : undefined)
    if (!trend) return []
    const direction = full[channel] < 0 ? 'fall' : 'rise'
    const change = Math.max(0, trend.level * Math.sign(full[channel]))
    const part = Math.max(0, 1 - usedUp(channel, trend.level))
    return `${channelTexts[channel].name}: 1 − (${direction} ${formatNumber(change, 3)} − ${formatNumber(freeOf(channel), 3)}) ÷ ${formatNumber(Math.abs(full[channel]), 2)} = ${formatNumber(part, 2)}`
  })
}

/** What counts in the score besides, and how. */
export const scoreRules =
  'Falls and rises are natural logarithms; what is taken off them is what sensors may wander, and less than that counts as none. ' +
  'The salt passage does not count where an open bypass hides that of the membrane. ' +
  `A cartridge with less than ${percent(lifeFrom)} % of its life left counts as 1 − ${formatNumber(lifeWeight, 1)} × (1 − life left ÷ ${percent(lifeFrom)} %). ` +
  `A critical finding makes the score 0: one that is not shelved, says Act, and is at least ${percent(certain)} % sure.`
