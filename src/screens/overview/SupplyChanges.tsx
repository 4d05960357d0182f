import { useSupplyChanges } from '../../api/health/summary.ts'
import { shownChangeDays } from '../../api/contract/health/fleet.ts'
import { supplyChangeEntries, type SupplyChangeEntry } from '../../commands/overview/entries.ts'
import { supplyChangePlace, supplyChangeText } from '../../domain/health/texts/supplyTexts.ts'
import { useNow } from '../../ui/useNow.ts'
import { Card, CardContent } from './Card.tsx'
import { EntryButton, type Focusing } from './entries.tsx'

const title = 'Changes in water supplies'

/** Changes of feed water and feed pressure that the devices of a supply share: one line in place of one a device. */
export function SupplyChanges({ focusing }: { focusing: Focusing }) {
  const { data, error } = useSupplyChanges()
  const now = useNow()
  const entries = data && supplyChangeEntries(data, now)
  return (
    <Card title={title}>
      <CardContent
        data={entries}
        error={error}
        empty={`No supply has changed in the last ${shownChangeDays} days.`}
        isEmpty={({ length }) => length === 0}
      >
        {shown => (
          <ul aria-label={title} className="-mx-2 grid">
            {shown.map(entry => (
              <ChangeRow key={entry.id} entry={entry} focusing={focusing} />
            ))}
          </ul>
        )}
      </CardContent>
    </Card>
  )
}

/** A change in a sentence; selects the devices of its supply. */
function ChangeRow({ entry: { id, change }, focusing }: { entry: SupplyChangeEntry; focusing: Focusing }) {
  const text = supplyChangeText(change)
  const { ended_at } = change
  const place = supplyChangePlace(change)
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
