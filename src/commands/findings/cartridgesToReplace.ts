/** The cartridges that findings advise to replace. */
import type { Finding } from '../../api/contract/findings.ts'
import type { ChosenCartridges } from '../../domain/calendar/visits.ts'
import { causeTexts } from '../../domain/health/texts/causes.ts'

/** Returns the positions by device, without findings that advise something else. */
export function cartridgesToReplace(
  findings: readonly Pick<Finding, 'bssid' | 'cause' | 'position'>[],
): ChosenCartridges {
  const chosen: Record<string, number[]> = {}
  for (const { bssid, cause, position } of findings)
    if (position !== null && causeTexts[cause].action === 'replace') (chosen[bssid] ??= []).push(position)
  return chosen
}
