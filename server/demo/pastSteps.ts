/**
 * Steps the past of the demo devices on one supply, as the daily step would have done: through each day all of them before
 * the next, so that neighbours are compared, and the lives of their pre-filters show how long others last.
 */
import { minEnds } from '../../src/domain/health/lives/prefilters.ts'
import { survivalOf, type SurvivalStep } from '../../src/domain/health/maths/survival.ts'
import { neighboursOfEach } from '../../src/domain/health/residuals.ts'
import { openPastDevice, type PastDevice, type PastSteps } from './pastDevice.ts'
import { openPastScores } from './pastScores.ts'

/** Returns what has become of the devices' forecasts and lives, in the order of the devices. */
export function pastSteps(devices: readonly PastDevice[]): PastSteps[] {
  const opened = devices.map(openPastDevice)
  const scores = openPastScores()
  const days = new Set(devices.flatMap(({ days }) => days.map(({ day }) => day)))
  for (const day of [...days].toSorted((one, other) => one - other)) {
    const members = opened.filter(device => device.has(day))
    const neighbours = neighboursOfEach(members.map(device => device.residuals(day)))
    const prefilter_lives = survivalOnDay(opened)
    const own_widths = scores.widths()
    for (const [index, device] of members.entries())
      scores.add(
        device.step(day, { neighbours: neighbours[index]!, own_widths, ...(prefilter_lives && { prefilter_lives }) }),
      )
  }
  return opened.map(device => device.end())
}

/** Returns how long pre-filters on the supply last; undefined while too few have ended. */
function survivalOnDay(devices: readonly ReturnType<typeof openPastDevice>[]): readonly SurvivalStep[] | undefined {
  const lives = devices.flatMap(device => device.livesSoFar())
  return lives.filter(({ ended }) => ended).length < minEnds ? undefined : survivalOf(lives)
}
