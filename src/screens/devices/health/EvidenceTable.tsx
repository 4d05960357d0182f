import type { Finding } from '../../../api/contract/findings.ts'
import { noValue } from '../../../domain/format.ts'
import { causeNames } from '../../../domain/health/texts/causeNames.ts'
import { channelTexts } from '../../../domain/health/texts/channelTexts.ts'
import { channelValue } from '../../../domain/health/texts/channelValues.ts'
import { changeText, possibleCause } from '../../../domain/health/texts/findingTexts.ts'
import { errorInWords, runnerUp } from '../../../domain/health/texts/explain.ts'
import { SidewaysTable } from '../../../ui/table/SidewaysTable.tsx'
import { useUnits } from '../../../store/preferences.ts'

type Evidence = Finding['evidence'][number]

/** What each channel shows, beside what the two likeliest causes would lead to: as a picture and in numbers. */
export function EvidenceTable({ finding: { evidence, ...finding } }: { finding: Finding }) {
  const units = useUnits()
  // An unknown cause leads one to expect nothing.
  const isKnown = finding.cause !== 'unknown'
  const second = isKnown ? runnerUp(finding) : possibleCause(finding)
  const expectedBy = [isKnown ? finding.cause : undefined, second?.cause]
  const reach = Math.max(...evidence.filter(({ unit }) => unit === 'ln').flatMap(extent), 0.1)
  const heads = [
    'Observed',
    ...expectedBy.flatMap(cause => (cause === undefined ? [] : `${causeNames[cause]} expects`)),
    'Neighbours',
    'New',
    'Days',
  ]
  return (
    <SidewaysTable label="Observed against expected">
      <table className="w-full tabular-nums">
        <thead className="text-[11.5px] text-ink3">
          <tr className="align-bottom">
            <th scope="col" className="py-1 pr-3 text-left font-medium">
              Channel
            </th>
            {/* The numbers beside it say the same. */}
            <td aria-hidden="true" className="w-[130px] py-1 pr-3">
              <Key isKnown={isKnown} />
            </td>
            {heads.map(head => (
              <th key={head} scope="col" className="max-w-[110px] py-1 pl-3 text-right font-medium">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {evidence.map(each => (
            <tr key={each.channel} className="border-t border-line">
              <th scope="row" className="py-1.5 pr-3 text-left font-normal">
                {channelTexts[each.channel].name}
              </th>
              <td aria-hidden="true" className="py-1.5 pr-3">
                <Strip
                  evidence={each}
                  reach={each.unit === 'ln' ? reach : Math.max(...extent(each), 0.1)}
                  isKnown={isKnown}
                />
              </td>
              <td className="py-1.5 pl-3 text-right whitespace-nowrap">
                {changeText(each.value, each.unit)} <span className="text-ink3">{errorInWords(each)}</span>
              </td>
              {each.expected.map(
                (expected, index) =>
                  expectedBy[index] !== undefined && (
                    <td key={index} className="py-1.5 pl-3 text-right">
                      {expected === null ? noValue : changeText(expected, each.unit)}
                    </td>
                  ),
              )}
              <td className="py-1.5 pl-3 text-right whitespace-nowrap">
                {each.neighbours ? `${changeText(each.neighbours.median, 'ln')} (${each.neighbours.n})` : noValue}
              </td>
              <td className="py-1.5 pl-3 text-right whitespace-nowrap">
                {each.baseline === null ? noValue : channelValue(each.channel, each.baseline, units)}
              </td>
              <td className="py-1.5 pl-3 text-right">{each.days}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </SidewaysTable>
  )
}

const extent = ({ value, error, expected }: Evidence) =>
  [value - 2 * error, value + 2 * error, ...expected].map(each => Math.abs(each ?? 0))

const width = 120
const height = 18

/** The observed change as a bar with its interval, and the expected ones as a full and a hollow mark. */
function Strip(props: { evidence: Evidence; reach: number; isKnown: boolean }) {
  const { evidence, reach, isKnown } = props
  const { value, error, expected } = evidence
  const x = (change: number) => width / 2 + (change / reach) * (width / 2 - 5)
  const [first, second] = expected
  const [start, end] = [Math.min(0, value), Math.max(0, value)]
  return (
    <svg width={width} height={height} className="block">
      <line x1={width / 2} x2={width / 2} y1={0} y2={height} stroke="var(--line)" />
      <rect x={x(start)} width={Math.max(1, x(end) - x(start))} y={6} height={6} fill="var(--accent)" opacity={0.5} />
      <line x1={x(value - 2 * error)} x2={x(value + 2 * error)} y1={9} y2={9} stroke="var(--ink)" strokeWidth={1.5} />
      {second !== null && <path d={diamond(x(second))} fill="var(--panel)" stroke="var(--ink2)" strokeWidth={1.2} />}
      {isKnown && <path d={diamond(x(first))} fill="var(--ink2)" />}
    </svg>
  )
}

const diamond = (x: number) => `M${x} 4l4 5l-4 5l-4 -5Z`

function Key({ isKnown }: { isKnown: boolean }) {
  return (
    <span className="flex items-center gap-2 text-[10.5px] whitespace-nowrap">
      <span className="flex items-center gap-1">
        <span className="h-1.5 w-3 bg-accent opacity-50" />
        seen
      </span>
      {isKnown && (
        <span className="flex items-center gap-1">
          <svg width="8" height="10">
            <path d="M4 0l4 5l-4 5l-4 -5Z" fill="var(--ink2)" />
          </svg>
          1st
        </span>
      )}
      <span className="flex items-center gap-1">
        <svg width="10" height="12">
          <path d="M5 1l4 5l-4 5l-4 -5Z" fill="none" stroke="var(--ink2)" />
        </svg>
        2nd
      </span>
    </span>
  )
}
