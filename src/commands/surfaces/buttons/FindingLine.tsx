import type { ReactNode } from 'react'
import { formatDateTime, formatTime } from '../../../domain/format.ts'
import { findingsText, findingText } from '../../../domain/health/texts/findingTexts.ts'
import type { FindingNotice, FindingsNotice } from '../../../store/notificationsView.ts'
import { useNow } from '../../../ui/useNow.ts'
import { Icon } from './Icon.tsx'
import { toneClasses } from './tones.ts'

/**
 * Shows a finding among the notifications of a day, or several that belong together, in a sentence with the time at which it was
 * told. `children` are shown under it.
 */
export function FindingLine({ notice, children }: { notice: FindingNotice | FindingsNotice; children?: ReactNode }) {
  const now = useNow()
  const isGroup = notice.type === 'findings'
  const needsWork = isGroup || notice.finding.severity === 'act'
  const { created_at } = notice
  return (
    <div className="flex min-w-0 items-start gap-2.5">
      <span className={`grid size-6 shrink-0 place-items-center rounded-md ${toneClasses[needsWork ? 'bad' : 'warn']}`}>
        <Icon name="finding" size={14} />
      </span>
      <div className="min-w-0 flex-1 pt-[2px]">
        <p className="break-words">{isGroup ? findingsText(notice.group) : findingText(notice.finding, now)}</p>
        {children}
      </div>
      <time dateTime={created_at} title={formatDateTime(created_at)} className="numeric shrink-0 pt-[2px] text-ink3">
        {formatTime(created_at)}
      </time>
    </div>
  )
}
