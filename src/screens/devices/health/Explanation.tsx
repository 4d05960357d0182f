import type { Finding } from '../../../api/contract/findings.ts'
import type { DeviceHealth } from '../../../api/contract/health/device.ts'
import { findingStateNames, severityNames } from '../../../domain/columns/findings.ts'
import { formatDate, formatDay, formatNumber } from '../../../domain/format.ts'
import { learnDays } from '../../../domain/health/channelState.ts'
import { causeNames, causeLabels } from '../../../domain/health/texts/causeNames.ts'
import { causeTexts } from '../../../domain/health/texts/causes.ts'
import {
  channelFormulas,
  formulaSources,
  formulaSymbols,
  type FormulaSource,
} from '../../../domain/health/texts/channelFormulas.ts'
import { channelTexts, partName, type Measured } from '../../../domain/health/texts/channelTexts.ts'
import { formulaNumbers } from '../../../domain/health/texts/formulaNumbers.ts'
import { channelValue } from '../../../domain/health/texts/channelValues.ts'
import { causeText, changeText, possibleCause } from '../../../domain/health/texts/findingTexts.ts'
import {
  activeFindings,
  contradictions,
  nothingAgainst,
  correctionText,
  errorInWords,
  runnerUp,
} from '../../../domain/health/texts/explain.ts'
import { defectiveText } from '../../../domain/health/texts/sensorTexts.ts'
import {
  pendingDaysText,
  rinsingText,
  scoreFormulas,
  scoreRules,
  staleText,
} from '../../../domain/health/texts/scoreTexts.ts'
import { channels, isOfMembrane } from '../../../domain/health/types/channels.ts'
import { useUnits } from '../../../store/preferences.ts'
import { EvidenceTable } from './EvidenceTable.tsx'
import { ForecastOutcomes } from './ForecastOutcomes.tsx'
import { Part } from './Part.tsx'
import { ScalingFormula } from './ScalingFormula.tsx'
import { VerdictButtons } from './VerdictButtons.tsx'

/**
 * Why a device has its score and findings: observed against expected, formulas with their numbers, and sources. `onAsk` is
 * called before a command on a finding asks for something.
 */
export function Explanation({ health, onAsk }: { health: DeviceHealth; onAsk?: () => void }) {
  const { score, pending, worst, findings, trends } = health
  const units = useUnits()
  const active = activeFindings(findings)
  const defective = defectiveText(health.defective_sensors)
  const stale = staleText(health)
  const ended = findings.filter(finding => !active.includes(finding))
  const measured = [
    ...channels.filter(channel => trends[channel]),
    ...active.flatMap(({ evidence }) => evidence.map(({ channel }) => channel)),
  ]
  return (
    <>
      <p className="text-ink2">
        {score === null
          ? pending
            ? pendingDaysText
            : `There is no score while the device is learned: ${health.learned} of ${learnDays} days so far.`
          : `The score is ${score}${worst ? `. Its worst part: ${partName(worst)}` : ''}. It is 100 times the least of its parts, from 0 to 1.`}
      </p>
      {score === null && health.rinsed && <p className="mt-1 text-ink2">{rinsingText(health.rinsed, units)}</p>}
      {defective !== undefined && <p className="mt-1 text-ink2">{defective}</p>}
      {score !== null && (
        <>
          <ul className="mt-1 tabular-nums">
            {scoreFormulas(health).map(formula => (
              <li key={formula}>{formula}</li>
            ))}
          </ul>
          {stale !== undefined && <p className="mt-1">{stale}</p>}
          <p className="mt-1 text-ink2">{scoreRules}</p>
        </>
      )}
      {active.length === 0 && <p className="mt-3">No open findings.</p>}
      {active.map(finding => (
        <FindingPart key={finding._id} finding={finding} {...(onAsk && { onAsk })} />
      ))}
      <ScalingFormula health={health} />
      {health.coverage.length > 0 && (
        <Part title="How forecasts turned out">
          <ForecastOutcomes health={health} />
        </Part>
      )}
      <Formulas health={health} measured={[...new Set(measured)]} />
      {ended.length > 0 && (
        <Part title="Earlier findings">
          <ul className="grid gap-1 text-ink2">
            {ended.map(({ _id, cause, state, began_at, ended_at, verdict }) => (
              <li key={_id}>
                {causeLabels[cause]}, {findingStateNames[state].toLowerCase()}, {formatDay(began_at)}
                {ended_at && ` – ${formatDate(ended_at)}`}
                {verdict && `. Confirmed: ${verdict === 'none' ? 'nothing was wrong' : causeNames[verdict]}`}
              </li>
            ))}
          </ul>
        </Part>
      )}
    </>
  )
}

/** The times and tests of a finding, and its evidence. */
function FindingPart({ finding, onAsk }: { finding: Finding; onAsk?: () => void }) {
  const { cause, severity, tempo, evidence, began_early, began_at, began_late, detected_at } = finding
  const isKnown = cause !== 'unknown'
  const second = runnerUp(finding)
  const against = contradictions(evidence)
  return (
    <Part title={causeText(finding)}>
      <p className="text-ink2">
        {severityNames[severity]}. It began {tempo === 'step' ? 'as a step' : 'gradually'} between{' '}
        {formatDay(began_early)} and {formatDay(began_late)}, most likely on {formatDay(began_at)}, and was found on{' '}
        {formatDay(detected_at)}.
        {!isKnown
          ? ' No known cause fits what was observed.'
          : second
            ? ` Runner-up: ${causeNames[second.cause]}, ${second.confidence} %.`
            : ' No other cause is likely.'}
      </p>
      <EvidenceTable finding={finding} />
      <dl className="mt-2 grid gap-x-4 gap-y-1 sm:grid-cols-[150px_minmax(0,1fr)]">
        {isKnown && (
          <>
            <dt className="text-ink3">Speaks against it</dt>
            <dd>
              {against.length === 0 ? (
                nothingAgainst(evidence)
              ) : (
                <ul>
                  {against.map(text => (
                    <li key={text}>{text}</li>
                  ))}
                </ul>
              )}
            </dd>
          </>
        )}
        <dt className="text-ink3">The test that decides</dt>
        <dd>
          {causeTexts[cause].test}
          {second && second.cause !== 'unknown' && (isKnown || possibleCause(finding)) && (
            <span className="block text-ink2">
              For {causeNames[second.cause]}: {causeTexts[second.cause].test}
            </span>
          )}
        </dd>
        <dt className="text-ink3">Advice</dt>
        <dd>{causeTexts[cause].advice}</dd>
      </dl>
      <div className="mt-2">
        <VerdictButtons finding={finding} {...(onAsk && { onAsk })} />
      </div>
    </Part>
  )
}

/** The formula of each channel with its numbers, the symbols and the sources. */
function Formulas({ health, measured }: { health: DeviceHealth; measured: readonly Measured[] }) {
  const units = useUnits()
  const { trends } = health
  const sources = [...new Set(measured.flatMap(channel => channelFormulas[channel].sources))].toSorted()
  if (measured.length === 0) return null
  return (
    <>
      <Part title="Formulas with their numbers">
        <dl className="grid gap-x-4 gap-y-1.5 sm:grid-cols-[150px_minmax(0,1fr)]">
          {measured.map(channel => {
            const trend = trends[channel as keyof typeof trends]
            const { text, sources: of } = channelFormulas[channel]
            const numbers = health.rated_flow && formulaNumbers(channel, health.rated_flow)
            return (
              <div key={channel} className="contents">
                <dt className="text-ink3">{channelTexts[channel].name}</dt>
                <dd className="tabular-nums">
                  {text} <span className="text-ink3">[{of.join(', ')}]</span>
                  {numbers && <span className="block text-ink2">Last days: {numbers}</span>}
                  {trend && (
                    <span className="block text-ink2">
                      {health.first_seen === null ? 'New' : 'First seen'} {channelValue(channel, trend.baseline, units)}
                      ; trend ln = {signed(trend.level)} ± {formatNumber(2 * trend.error, 3)}, which is{' '}
                      {changeText(trend.level, 'ln')} {errorInWords({ error: trend.error, unit: 'ln' })} besides ageing
                      and neighbours
                    </span>
                  )}
                </dd>
              </div>
            )
          })}
          {measured.some(isOfMembrane) && (
            <>
              <dt className="text-ink3">Temperature</dt>
              <dd className="tabular-nums">{correctionText(health.correction)}</dd>
            </>
          )}
        </dl>
      </Part>
      <Part title="Symbols">
        <dl className="grid gap-x-4 gap-y-0.5 text-ink2 sm:grid-cols-[150px_minmax(0,1fr)]">
          {formulaSymbols.map(([symbol, meaning]) => (
            <div key={symbol} className="contents">
              <dt>{symbol}</dt>
              <dd>{meaning}</dd>
            </div>
          ))}
        </dl>
      </Part>
      <Part title="Sources">
        <ul className="grid gap-0.5 text-ink2">
          {sources.map((source: FormulaSource) => (
            <li key={source}>
              [{source}] {formulaSources[source]}
            </li>
          ))}
        </ul>
      </Part>
    </>
  )
}

const signed = (value: number) => `${value < 0 ? '−' : '+'}${formatNumber(Math.abs(value), 3)}`
