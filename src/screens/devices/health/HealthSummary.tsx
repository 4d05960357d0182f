import type { Cartridge } from '../../../api/contract/devices.ts'
import type { Finding } from '../../../api/contract/findings.ts'
import type { DeviceHealth } from '../../../api/contract/health/device.ts'
import { toneClasses } from '../../../commands/surfaces/buttons/tones.ts'
import { severityNames } from '../../../domain/columns/findings.ts'
import { healthStateNames } from '../../../domain/columns/health.ts'
import { cartridgeKinds } from '../../../domain/device.ts'
import { remainingShare } from '../../../domain/filterLife.ts'
import { formatDate, formatDay } from '../../../domain/format.ts'
import { learnDays } from '../../../domain/health/channelState.ts'
import { causeTexts } from '../../../domain/health/texts/causes.ts'
import { channelTexts, partName } from '../../../domain/health/texts/channelTexts.ts'
import { causeText, changeText } from '../../../domain/health/texts/findingTexts.ts'
import { activeFindings, leadingEvidence } from '../../../domain/health/texts/explain.ts'
import { isScoreUnsure } from '../../../domain/health/score.ts'
import { defectiveText } from '../../../domain/health/texts/sensorTexts.ts'
import {
  pendingDaysText,
  rinsingText,
  saltHiddenText,
  staleText,
  worstText,
  type LifeLeft,
} from '../../../domain/health/texts/scoreTexts.ts'
import { useUnits } from '../../../store/preferences.ts'
import { useNow } from '../../../ui/useNow.ts'
import { healthBars, healthTones } from './tones.ts'
import { VerdictButtons } from './VerdictButtons.tsx'

/** The score with what decides it and what to do about that, and the most serious finding. */
export function HealthSummary({ health, cartridges }: { health: DeviceHealth; cartridges: readonly Cartridge[] }) {
  const { score, state, worst, learned, pending, first_seen, salt_hidden, defective_sensors, rinsed } = health
  const units = useUnits()
  const now = useNow(600_000)
  const findings = activeFindings(health.findings)
  const [first] = findings
  const isFound = findings.some(({ evidence }) => evidence.some(({ channel }) => partOf(channel) === worst))
  const defective = defectiveText(defective_sensors)
  const learning = rinsed ? rinsingText(rinsed, units) : 'Learning what is usual for this device.'
  const stale = staleText(health)
  const isUnsure = isScoreUnsure(defective_sensors) || stale !== undefined
  const decisive = worstText(health, minLifeLeft(cartridges, now), isFound)
  return (
    <div className="grid gap-3">
      <div>
        <p className="flex flex-wrap items-baseline gap-x-2.5 gap-y-1">
          {score !== null && (
            <span className="text-[26px] leading-8 font-semibold tracking-tight tabular-nums">
              {score}
              <span className="text-[12px] font-normal text-ink3"> of 100</span>
            </span>
          )}
          <span
            className={`rounded-[5px] px-[7px] py-0.5 text-[11.5px] font-medium ${toneClasses[healthTones[state]]}`}
          >
            {healthStateNames[state]}
          </span>
          {score !== null && isUnsure && <span className="text-ink3">not sure</span>}
          {score === null ? (
            <span className="text-ink3">
              {learned} of {learnDays} days
            </span>
          ) : (
            worst && <span className="text-ink2">Worst: {partName(worst)}</span>
          )}
        </p>
        <div
          role="meter"
          aria-label={score === null ? 'Days learned' : 'Health score'}
          aria-valuemin={0}
          aria-valuemax={score === null ? learnDays : 100}
          aria-valuenow={score ?? learned}
          className="mt-1.5 h-1.5 overflow-hidden rounded-full bg-mute-soft"
        >
          <div
            className={`h-full ${score === null ? 'bg-ink3' : `min-w-2 ${healthBars[state]}`}`}
            style={{ width: `${score ?? (100 * learned) / learnDays}%` }}
          />
        </div>
      </div>
      {decisive !== undefined && <p>{decisive}</p>}
      {defective !== undefined && <p className="text-ink2">{defective}</p>}
      {score !== null && stale !== undefined && <p className="text-ink2">{stale}</p>}
      {salt_hidden && <p className="text-ink2">{saltHiddenText}</p>}
      {score !== null && first_seen !== null && (
        <p className="text-[12px] text-ink3">
          Compared with <time dateTime={first_seen}>{formatDate(first_seen)}</time>, its first day here. The membrane is
          older, so earlier wear does not show.
        </p>
      )}
      {first ? (
        <FirstFinding finding={first} others={findings.length - 1} />
      ) : (
        <p className="text-ink2">{pending ? pendingDaysText : score !== null ? 'No open findings.' : learning}</p>
      )}
    </div>
  )
}

/** Returns the part of the score that is computed from a channel. */
const partOf = (channel: Finding['evidence'][number]['channel']) => (channel === 'brief' ? 'b' : channel)

/** Returns the cartridge with the least life left. */
function minLifeLeft(cartridges: readonly Cartridge[], now: number): LifeLeft | undefined {
  const lives = cartridges.map((cartridge): LifeLeft => ({
    name: [cartridge.model, cartridgeKinds[cartridge.type]?.toLowerCase()].join(', '),
    left: remainingShare(cartridge, now),
  }))
  return lives.toSorted((one, other) => one.left - other.left)[0]
}

function FirstFinding({ finding, others }: { finding: Finding; others: number }) {
  const { severity, cause, state } = finding
  const evidence = leadingEvidence(finding.evidence)
  return (
    <article aria-label="Finding" className="grid gap-1.5">
      <p className="flex flex-wrap items-center gap-2">
        <strong className="font-semibold">{causeText(finding)}</strong>
        <span
          className={`rounded-[5px] px-[7px] py-0.5 text-[11.5px] font-medium ${toneClasses[severity === 'act' ? 'bad' : 'warn']}`}
        >
          {severityNames[severity]}
        </span>
        {state === 'shelved' && <span className="text-[12px] text-ink3">shelved</span>}
      </p>
      {evidence && (
        <p className="text-ink2 tabular-nums">
          {channelTexts[evidence.channel].name} {changeText(evidence.value, evidence.unit)}
          {evidence.neighbours && ` (neighbours ${changeText(evidence.neighbours.median, 'ln')})`}
        </p>
      )}
      <p className="text-ink2">
        Since <time dateTime={finding.began_at.slice(0, 10)}>{formatDay(finding.began_at)}</time>
        <span className="text-ink3">
          {' '}
          ({formatDay(finding.began_early)} – {formatDay(finding.began_late)})
        </span>
      </p>
      <p>{causeTexts[cause].advice}</p>
      <VerdictButtons finding={finding} />
      {others > 0 && (
        <p className="text-ink3">
          {others} more {others === 1 ? 'finding' : 'findings'} under Explain
        </p>
      )}
    </article>
  )
}
