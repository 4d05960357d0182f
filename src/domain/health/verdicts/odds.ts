/**
 * What people's verdicts on findings teach about the probabilities of causes: recalibration in the large, by the ratio of the odds
 * with which a cause was confirmed to those with which it was expected [Steyerberg 2019, chapter 20].
 */
import type { Cause } from '../types/assessment.ts'
import type { VerdictOdds } from '../types/context.ts'

/** The verdicts on findings whose likeliest cause was this one, by the method alone. */
export interface CauseVerdicts {
  readonly cause: Cause
  /** Findings with a verdict, and those of them in which this cause was confirmed. */
  readonly judged: number
  readonly confirmed: number
  /** The sum of their confidences, 0–1 each: how many of them should have been confirmed. */
  readonly expected: number
}

/** Verdicts that are assumed besides, half of them confirmed, both expected and found: a handful of verdicts moves little. */
const assumed = 50

/** Returns what verdicts multiply the odds of causes by: 1 where as many were confirmed as expected. */
export function verdictOdds(verdicts: readonly CauseVerdicts[]): VerdictOdds {
  const odds = (confirmed: number, judged: number) => (confirmed + assumed / 2) / (judged - confirmed + assumed / 2)
  return Object.fromEntries(
    verdicts.map(({ cause, judged, confirmed, expected }) => [cause, odds(confirmed, judged) / odds(expected, judged)]),
  )
}

/** A cause and its probability, 0–1. */
export interface Probable {
  readonly cause: Cause
  readonly probability: number
}

/**
 * Returns causes, in the same order, with probabilities that verdicts have moved. What the probabilities lack of 1 is that of causes
 * that are not listed, about which there are no verdicts.
 */
export function weighCauses<Each extends Probable>(causes: readonly Each[], odds: VerdictOdds | undefined): Each[] {
  if (odds === undefined) return [...causes]
  const weights = causes.map(({ cause, probability }) => probability * (odds[cause] ?? 1))
  const listed = causes.reduce((sum, { probability }) => sum + probability, 0)
  const all = weights.reduce((sum, weight) => sum + weight, Math.max(0, 1 - listed))
  return all > 0 ? causes.map((each, at) => ({ ...each, probability: weights[at]! / all })) : [...causes]
}
