import type { ReactNode } from 'react'
import { formatDateTime, formatTime } from '../../../domain/format.ts'
import { watchedCauses } from '../../../domain/health/types/assessment.ts'
import { findingsText, findingText } from '../../../domain/health/texts/findingTexts.ts'
import { supplyChangeText } from '../../../domain/health/texts/supplyTexts.ts'
import type { HealthNotice } from '../../../store/notificationsView.ts'
import { useNow } from '../../../ui/useNow.ts'
import { Icon } from './Icon.tsx'
import { toneClasses } from './tones.ts'

function textOf(notice: HealthNotice, now: number): string {
  switch (notice.type) {
    case 'finding':
      return findingText(notice.finding, now)
    case 'findings':
      return findingsText(notice.group)
    case 'supply':
      return supplyChangeText(notice.change)
  }
}

/** Returns the tone: a change of a supply that has ended needs nothing any more. */
function toneOf(notice: HealthNotice): keyof typeof toneClasses {
  if (notice.type === 'supply') return notice.change.ended_at === null ? 'warn' : 'mute'
  if (notice.type === 'findings') return watchedCauses.has(notice.group.cause) ? 'warn' : 'bad'
  return notice.finding.severity === 'act' ? 'bad' : 'warn'
}

/**
 * Shows what health adds to the notifications of a day in a sentence, with the time of its notification: a finding, several that
 * belong together, or a change of a supply. `children` are shown under it.
 */
export function HealthLine({ notice, children }: { notice: HealthNotice; children?: ReactNode }) {
  const now = useNow()
  const { created_at } = notice
  return (
    <div className="flex min-w-0 items-start gap-2.5">
      <span className={`grid size-6 shrink-0 place-items-center rounded-md ${toneClasses[toneOf(notice)]}`}>
        <Icon name="finding" size={14} />
      </span>
      <div className="min-w-0 flex-1 pt-[2px]">
        <p className="break-words">{textOf(notice, now)}</p>
        {children}
      </div>
      <time dateTime={created_at} title={formatDateTime(created_at)} className="numeric shrink-0 pt-[2px] text-ink3">
        {formatTime(created_at)}
      </time>
    </div>
  )
}
