import { useMovers } from '../../api/health/summary.ts'
import { moverEntries, type MoverEntry } from '../../commands/overview/entries.ts'
import { causeLabels } from '../../domain/health/texts/causeNames.ts'
import { moverPoints } from '../../domain/health/history/scores.ts'
import { Card, CardContent } from './Card.tsx'
import { EntryButton, type Focusing } from './entries.tsx'

const title = 'Scores that moved most in 30 days'

/** The devices whose scores have fallen or risen most, those that fell first. */
export function Movers({ focusing }: { focusing: Focusing }) {
  const { data, error } = useMovers()
  return (
    <Card title={title}>
      <CardContent
        data={data}
        error={error}
        empty={`No score has fallen or risen by ${moverPoints} points or more.`}
        isEmpty={({ fell, rose }) => fell.length + rose.length === 0}
      >
        {movers => (
          <ul aria-label={title} className="-mx-2 grid">
            {moverEntries(movers).map(entry => (
              <MoverRow key={entry.id} entry={entry} focusing={focusing} />
            ))}
          </ul>
        )}
      </CardContent>
    </Card>
  )
}

/** A device, and its score a month ago and now on a scale from 0 to 100; opens the device. */
function MoverRow({ entry: { id, mover }, focusing }: { entry: MoverEntry; focusing: Focusing }) {
  const { bssid, description, vendor, score, before, cause } = mover
  const name = description || bssid
  const why = cause === null ? '' : causeLabels[cause]
  const change = score < before ? 'fell' : 'rose'
  return (
    <li className="grid">
      <EntryButton
        id={id}
        label={`${name}: ${before} → ${score}${why && `, ${why}`}: the score ${change}, ${vendor.company_name}`}
        focusing={focusing}
        className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 gap-y-1 rounded-md px-2 py-1.5 text-left hover:bg-sunk @md:grid-cols-[minmax(0,10.5rem)_minmax(60px,1fr)_8.5rem_minmax(4rem,auto)]"
      >
        <span className="truncate" title={`${name} · ${bssid} · ${vendor.company_name}`}>
          {name}
        </span>
        <span className="text-right font-medium tabular-nums @md:order-last">
          <span className="font-normal text-ink3">{before} →</span> {score}
        </span>
        <Course before={before} score={score} />
        <span className="truncate text-right text-[12px] text-ink2 @md:text-left" title={why}>
          {why}
        </span>
      </EntryButton>
    </li>
  )
}

/** From the score before, a ring, to the score now, a dot. */
function Course({ before, score }: { before: number; score: number }) {
  const tone = score < before ? 'bg-bad' : 'bg-ok'
  return (
    <span aria-hidden="true" className="relative mx-1.5 block h-3 min-w-0">
      <span className="absolute inset-x-0 top-[5px] h-0.5 rounded-full bg-mute-soft" />
      <span
        className={`absolute top-[5px] h-0.5 ${tone}`}
        style={{ left: `${Math.min(before, score)}%`, width: `${Math.abs(score - before)}%` }}
      />
      <span
        className="absolute top-[2px] size-2 -translate-x-1/2 rounded-full border-[1.5px] border-ink3 bg-panel"
        style={{ left: `${before}%` }}
      />
      <span
        className={`absolute top-px size-2.5 -translate-x-1/2 rounded-full ${tone}`}
        style={{ left: `${score}%` }}
      />
    </span>
  )
}
