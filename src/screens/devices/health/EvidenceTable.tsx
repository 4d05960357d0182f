import type { ReactNode } from 'react'
import type { Finding } from '../../../api/contract/findings.ts'
import { noValue } from '../../../domain/format.ts'
import { causeNames } from '../../../domain/health/texts/causeNames.ts'
import { channelTexts } from '../../../domain/health/texts/channelTexts.ts'
import { channelValue } from '../../../domain/health/texts/channelValues.ts'
import { changeText, possibleCause } from '../../../domain/health/texts/findingTexts.ts'
import { errorInWords, runnerUp } from '../../../domain/health/texts/explain.ts'
import { useUnits } from '../../../store/preferences.ts'
import { SidewaysTable } from '../../../ui/table/SidewaysTable.tsx'
import { useMediaQuery } from '../../../ui/useMediaQuery.ts'
import { extent, Key, Strip } from './EvidenceStrip.tsx'

type Evidence = Finding['evidence'][number]

interface Column {
  readonly head: string
  readonly value: (evidence: Evidence) => ReactNode
}

interface Shown {
  readonly evidence: readonly Evidence[]
  readonly columns: readonly Column[]
  /** How far the strips reach, as ln. */
  readonly reach: number
  /** Whether the cause is known. An unknown one leads one to expect nothing. */
  readonly isKnown: boolean
}

/** Widths below which the columns are stacked. */
const stacked = '(width < 640px)'

/** What each channel shows, beside what the two likeliest causes would lead to: as a picture and in numbers. */
export function EvidenceTable({ finding }: { finding: Finding }) {
  const { evidence } = finding
  const isKnown = finding.cause !== 'unknown'
  const columns = useColumns(finding, isKnown)
  const reach = Math.max(...evidence.filter(({ unit }) => unit === 'ln').flatMap(extent), 0.1)
  const shown = { evidence, columns, reach, isKnown }
  return useMediaQuery(stacked) ? <StackedRows {...shown} /> : <Rows {...shown} />
}

function useColumns(finding: Finding, isKnown: boolean): Column[] {
  const units = useUnits()
  const second = isKnown ? runnerUp(finding) : possibleCause(finding)
  const expectedBy = [isKnown ? finding.cause : undefined, second?.cause]
  return [
    {
      head: 'Observed',
      value: each => (
        <>
          {changeText(each.value, each.unit)} <span className="text-ink3">{errorInWords(each)}</span>
        </>
      ),
    },
    ...expectedBy.flatMap((cause, index): Column[] => {
      if (cause === undefined) return []
      const value = ({ expected, unit }: Evidence) => {
        const change = expected[index]
        return change === null || change === undefined ? noValue : changeText(change, unit)
      }
      return [{ head: `${causeNames[cause]} expects`, value }]
    }),
    {
      head: 'Neighbours',
      value: ({ neighbours }) => (neighbours ? `${changeText(neighbours.median, 'ln')} (${neighbours.n})` : noValue),
    },
    {
      head: 'New',
      value: ({ channel, baseline }) => (baseline === null ? noValue : channelValue(channel, baseline, units)),
    },
    { head: 'Days', value: ({ days }) => days },
  ]
}

const reachOf = (each: Evidence, reach: number) => (each.unit === 'ln' ? reach : Math.max(...extent(each), 0.1))

function Rows({ evidence, columns, reach, isKnown }: Shown) {
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
            {columns.map(({ head }) => (
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
                <Strip evidence={each} reach={reachOf(each, reach)} isKnown={isKnown} />
              </td>
              {columns.map(({ head, value }) => (
                <td key={head} className="py-1.5 pl-3 text-right whitespace-nowrap">
                  {value(each)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </SidewaysTable>
  )
}

/** The same for narrow screens: the columns of a channel below each other. */
function StackedRows({ evidence, columns, reach, isKnown }: Shown) {
  return (
    <div className="mt-2 tabular-nums">
      <div aria-hidden="true" className="flex justify-end text-ink3">
        <Key isKnown={isKnown} />
      </div>
      <ul aria-label="Observed against expected">
        {evidence.map(each => (
          <li key={each.channel} className="border-t border-line py-2">
            <div className="flex items-center justify-between gap-2">
              <span className="font-medium">{channelTexts[each.channel].name}</span>
              <span aria-hidden="true">
                <Strip evidence={each} reach={reachOf(each, reach)} isKnown={isKnown} />
              </span>
            </div>
            <dl className="mt-1 grid grid-cols-[minmax(0,1fr)_auto] gap-x-3 gap-y-0.5">
              {columns.map(({ head, value }) => (
                <div key={head} className="contents">
                  <dt className="text-ink3">{head}</dt>
                  <dd className="text-right">{value(each)}</dd>
                </div>
              ))}
            </dl>
          </li>
        ))}
      </ul>
    </div>
  )
}
