import { useFindingGroups, useHealthSummary, useNewestFindings } from '../../api/health/summary.ts'
import { newestDays } from '../../api/contract/health/fleet.ts'
import { findingEntries, groupingsOf, type FindingEntry, type FindingsEntry } from '../../commands/overview/entries.ts'
import { watchedCauses } from '../../domain/health/types/assessment.ts'
import { findingsText, findingText } from '../../domain/health/texts/findingTexts.ts'
import { useRole } from '../../store/session.ts'
import { useNow } from '../../ui/useNow.ts'
import { Card, CardContent } from './Card.tsx'
import { EntryButton, type Focusing } from './entries.tsx'
import { pendingText } from './pendingText.ts'

const title = `New findings of the last ${newestDays} days`

/** Lists the newest open findings: those that need work first, and findings of one cause on one supply as one line. */
export function NewFindings({ focusing }: { focusing: Focusing }) {
  const { data: findings, error } = useNewestFindings()
  const { data: groups, error: groupsError } = useFindingGroups()
  const { data: summary } = useHealthSummary(groupingsOf(useRole()))
  return (
    <Card title={title}>
      <CardContent
        data={findings && groups && findingEntries(findings, groups)}
        error={error ?? groupsError}
        empty={pendingText(summary?.pending) ?? 'Nothing new was found.'}
        isEmpty={({ length }) => length === 0}
      >
        {entries => (
          <ul aria-label={title} className="-mx-2 grid">
            {entries.map(entry => (
              <FindingRow key={entry.id} entry={entry} focusing={focusing} />
            ))}
          </ul>
        )}
      </CardContent>
    </Card>
  )
}

/** A new finding, in a sentence; opens its device. Of several, it selects their devices. */
function FindingRow({ entry, focusing }: { entry: FindingEntry | FindingsEntry; focusing: Focusing }) {
  const now = useNow()
  const isGroup = 'group' in entry
  const text = isGroup ? findingsText(entry.group) : findingText(entry.finding, now)
  const { company_name } = isGroup ? entry.group.vendor : entry.finding.vendor
  const of = [isGroup ? '' : entry.finding.description, company_name].filter(Boolean).join(' · ')
  const bssid = isGroup ? undefined : entry.bssid
  const needsWork = isGroup ? !watchedCauses.has(entry.group.cause) : entry.finding.severity === 'act'
  return (
    <li className="grid">
      <EntryButton
        id={entry.id}
        label={`${text}, ${bssid === undefined ? '' : `${bssid} · `}${of}`}
        focusing={focusing}
        className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-2.5 rounded-md px-2 py-1.5 text-left hover:bg-sunk"
      >
        <span aria-hidden="true" className={`mt-[6px] size-2 rounded-full ${needsWork ? 'bg-bad' : 'bg-warn'}`} />
        <span className="min-w-0">
          <span className="block">{text}</span>
          <span className="block truncate text-[12px] text-ink3">
            {bssid !== undefined && (
              <>
                <span className="font-mono text-[11.5px]">{bssid}</span>
                {' · '}
              </>
            )}
            {of}
          </span>
        </span>
      </EntryButton>
    </li>
  )
}
