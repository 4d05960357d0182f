import type { ReactNode } from 'react'
import type { Finding } from '../../../api/contract/findings.ts'
import { formatDate } from '../../../domain/format.ts'
import { findingText } from '../../../domain/health/texts/findingTexts.ts'
import { useNow } from '../../../ui/useNow.ts'
import { Icon } from './Icon.tsx'
import { toneClasses } from './tones.ts'

/** Shows a finding among notifications, in a sentence with the day on which it was found. `children` are shown under it. */
export function FindingLine({ finding, children }: { finding: Finding; children?: ReactNode }) {
  const text = findingText(finding, useNow())
  return (
    <div className="flex min-w-0 items-start gap-2.5">
      <span
        className={`grid size-6 shrink-0 place-items-center rounded-md ${toneClasses[finding.severity === 'act' ? 'bad' : 'warn']}`}
      >
        <Icon name="finding" size={14} />
      </span>
      <div className="min-w-0 flex-1 pt-[2px]">
        <p className="break-words">{text}</p>
        {children}
      </div>
      <time dateTime={finding.detected_at} className="numeric shrink-0 pt-[2px] text-ink3">
        {formatDate(finding.detected_at)}
      </time>
    </div>
  )
}
