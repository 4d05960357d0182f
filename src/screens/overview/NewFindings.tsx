import { useNewestFindings } from '../../api/health/summary.ts'
import { newestDays } from '../../api/contract/health/fleet.ts'
import { findingEntries, type FindingEntry } from '../../commands/overview/entries.ts'
import { findingText } from '../../domain/health/texts/findingTexts.ts'
import { useNow } from '../../ui/useNow.ts'
import { Card, CardContent } from './Card.tsx'
import { EntryButton, type Focusing } from './entries.tsx'

const title = `New findings of the last ${newestDays} days`

/** The newest open findings, those that need work first. */
export function NewFindings({ focusing }: { focusing: Focusing }) {
  const { data, error } = useNewestFindings()
  return (
    <Card title={title}>
      <CardContent data={data} error={error} empty="Nothing new was found." isEmpty={({ length }) => length === 0}>
        {findings => (
          <ul aria-label={title} className="-mx-2 grid">
            {findingEntries(findings).map(entry => (
              <FindingRow key={entry.id} entry={entry} focusing={focusing} />
            ))}
          </ul>
        )}
      </CardContent>
    </Card>
  )
}

/** A new finding, in a sentence; opens its device. */
function FindingRow({ entry, focusing }: { entry: FindingEntry; focusing: Focusing }) {
  const { id, finding } = entry
  const text = findingText(finding, useNow())
  return (
    <li className="grid">
      <EntryButton
        id={id}
        label={`${text}, ${finding.bssid} · ${finding.vendor.company_name}`}
        focusing={focusing}
        className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-2.5 rounded-md px-2 py-1.5 text-left hover:bg-sunk"
      >
        <span
          aria-hidden="true"
          className={`mt-[6px] size-2 rounded-full ${finding.severity === 'act' ? 'bg-bad' : 'bg-warn'}`}
        />
        <span className="min-w-0">
          <span className="block">{text}</span>
          <span className="block truncate text-[12px] text-ink3">
            <span className="font-mono text-[11.5px]">{finding.bssid}</span> · {finding.vendor.company_name}
          </span>
        </span>
      </EntryButton>
    </li>
  )
}
