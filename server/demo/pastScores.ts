/** The outcomes of forecasts in the past of one supply's devices, from which the intervals of later ones are made. */
import {
  aimedMisses,
  boundedLevel,
  keptScores,
  levelChange,
  ownWidths,
  relativeScore,
  type OwnScores,
} from '../../src/domain/health/outcomes/ownWidths.ts'
import type { OwnWidths } from '../../src/domain/health/types/context.ts'
import type { JudgedForecast } from '../devices/health/outcomes.ts'

export interface PastScores {
  add(judged: readonly JudgedForecast[]): void
  /** Returns what the typical half widths are multiplied by. */
  widths(): OwnWidths
}

export function openPastScores(): PastScores {
  const scores = new Map<string, OwnScores>()
  return {
    add(judged) {
      for (const { forecast, inside, score } of judged) {
        // As in the daily step, intervals from like pre-filters say nothing about those of own trends.
        if (inside === null || forecast.like_ends !== null) continue
        const { kind, basis, typical } = forecast
        const key = `${kind} ${basis}`
        const known = scores.get(key) ?? { kind, basis, scores: [], level: aimedMisses }
        scores.set(key, {
          ...known,
          scores: [relativeScore(forecast, score ?? 0), ...known.scores].slice(0, keptScores),
          level: boundedLevel(known.level + (typical ? 0 : levelChange(inside))),
        })
      }
    },
    widths: () => ownWidths([...scores.values()]),
  }
}
