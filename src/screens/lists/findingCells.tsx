/** Cells of the list of findings that render more than text. */
import type { Finding } from '../../api/contract/findings.ts'
import { toneClasses } from '../../commands/surfaces/buttons/tones.ts'
import type { Cells } from '../../commands/surfaces/list/columns.tsx'
import { findingStateNames, severityNames, type Severity } from '../../domain/columns/findings.ts'
import { noValue } from '../../domain/format.ts'

const severityTones: Readonly<Record<Severity, keyof typeof toneClasses>> = { act: 'bad', watch: 'warn' }

/** How much a finding matters, as a coloured label. */
export function SeverityMark({ severity }: { severity: Severity }) {
  return (
    <span
      className={`inline-flex items-center gap-1.5 rounded-[5px] px-[7px] py-0.5 text-[11.5px] font-medium ${toneClasses[severityTones[severity]]}`}
    >
      <span className="size-1.5 shrink-0 rounded-full bg-current" />
      {severityNames[severity]}
    </span>
  )
}

/** A confidence in % with a small bar. */
function Confidence({ value }: { value: number }) {
  return (
    <>
      <span className="mr-2 inline-block h-1 w-[30px] overflow-clip rounded-full bg-mute-soft align-middle">
        <span className="block h-full bg-accent" style={{ width: `${value}%` }} />
      </span>
      {value}
    </>
  )
}

const isClosed = ({ state }: Finding) => state === 'resolved' || state === 'dismissed'

export const findingCells: Cells<'findings'> = {
  bssid: finding => <span className="font-mono text-[12px]">{finding.bssid}</span>,
  confidence: finding => <Confidence value={finding.confidence} />,
  severity: finding => <SeverityMark severity={finding.severity} />,
  state: finding => <span className={isClosed(finding) ? 'text-ink3' : ''}>{findingStateNames[finding.state]}</span>,
  reason: finding => finding.reason || noValue,
}
