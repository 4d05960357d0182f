import { useSupplyIncidents } from '../../api/health/summary.ts'
import { shownIncidentDays } from '../../api/contract/health/fleet.ts'
import { incidentEntries, type IncidentEntry } from '../../commands/overview/entries.ts'
import { supplyIncidentPlace, supplyIncidentText } from '../../domain/health/texts/supplyTexts.ts'
import { useNow } from '../../ui/useNow.ts'
import { Card, CardContent } from './Card.tsx'
import { EntryButton, type Focusing } from './entries.tsx'

const title = 'Changes in water supplies'

/** Changes of feed water and feed pressure that the devices of a supply share: one line in place of one a device. */
export function SupplyIncidents({ focusing }: { focusing: Focusing }) {
  const { data, error } = useSupplyIncidents()
  const now = useNow()
  const entries = data && incidentEntries(data, now)
  return (
    <Card title={title}>
      <CardContent
        data={entries}
        error={error}
        empty={`No supply has changed in the last ${shownIncidentDays} days.`}
        isEmpty={({ length }) => length === 0}
      >
        {shown => (
          <ul aria-label={title} className="-mx-2 grid">
            {shown.map(entry => (
              <IncidentRow key={entry.id} entry={entry} focusing={focusing} />
            ))}
          </ul>
        )}
      </CardContent>
    </Card>
  )
}

/** An incident in a sentence; selects the devices of its supply. */
function IncidentRow({ entry: { id, incident }, focusing }: { entry: IncidentEntry; focusing: Focusing }) {
  const text = supplyIncidentText(incident)
  const { ended_at } = incident
  const place = supplyIncidentPlace(incident)
  return (
    <li className="grid">
      <EntryButton
        id={id}
        label={`${text}, ${place}`}
        focusing={focusing}
        className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-2.5 rounded-md px-2 py-1.5 text-left hover:bg-sunk"
      >
        <span
          aria-hidden="true"
          className={`mt-[6px] size-2 rounded-full ${ended_at === null ? 'bg-warn' : 'bg-ink3/40'}`}
        />
        <span className="min-w-0">
          <span className="block">{text}</span>
          <span className="block truncate text-[12px] text-ink3">{place}</span>
        </span>
      </EntryButton>
    </li>
  )
}
