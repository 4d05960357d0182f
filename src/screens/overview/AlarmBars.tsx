import type { AlarmLoad } from '../../api/contract/notifications.ts'
import { dateFormat } from '../../domain/dates.ts'
import { formatNumber } from '../../domain/format.ts'
import { plural } from '../../domain/plural.ts'

type Day = AlarmLoad['days'][number]

const longDay = dateFormat({ weekday: 'short', month: 'short', day: 'numeric' })
const weekday = dateFormat({ weekday: 'short' })
const monthDay = dateFormat({ month: 'short', day: 'numeric' })

/** From this number of days on, not every bar has room for its number and its day. */
const many = 10
/** Days between two labels of many days. */
const labelled = 7

/** Floods are striped, so that they differ by more than their colour. */
const stripes = 'bg-[repeating-linear-gradient(135deg,var(--bad)_0_3px,var(--bad-soft)_3px_5px)]'

/** Alarms by day as bars. The part of them that was given in floods stands out. */
export function AlarmBars({ days }: { days: readonly Day[] }) {
  const most = Math.max(...days.map(({ alarms }) => alarms), 0)
  const top = niceTop(most)
  const isMany = days.length >= many
  const hasFloods = days.some(({ flooded }) => flooded > 0)
  return (
    <figure className="grid gap-1.5">
      <div role="img" aria-label={summaryOf(days)} className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-2">
        <div className="relative w-7 text-right text-[11px] text-ink3 tabular-nums">
          <span className="absolute right-0 -top-2">{formatNumber(top)}</span>
          <span className="absolute right-0 bottom-[18px]">0</span>
        </div>
        <div className="relative">
          <span className="absolute inset-x-0 top-0 h-px bg-line" />
          <span className="absolute inset-x-0 top-[104px] h-px bg-line" />
          <div className={`relative flex h-52 items-end border-b border-line ${isMany ? 'gap-[2px]' : 'gap-3'}`}>
            {days.map(day => (
              <DayBar key={day.at} day={day} top={top} isMany={isMany} />
            ))}
          </div>
          <div className={`flex h-[22px] items-end ${isMany ? 'gap-[2px]' : 'gap-3'}`}>
            {days.map(({ at }, index) => (
              <span key={at} className="relative h-full min-w-0 flex-1 text-[11px] text-ink3">
                {(!isMany || (days.length - 1 - index) % labelled === 0) && (
                  <span
                    className={`absolute bottom-0 whitespace-nowrap ${index === days.length - 1 && isMany ? 'right-0' : 'left-1/2 -translate-x-1/2'}`}
                  >
                    {index === days.length - 1 ? 'today' : (isMany ? monthDay : weekday)(Date.parse(at))}
                  </span>
                )}
              </span>
            ))}
          </div>
        </div>
      </div>
      {hasFloods && (
        <figcaption className="flex gap-4 pl-9 text-[11px] text-ink3">
          <span className="flex items-center gap-1.5">
            <span aria-hidden="true" className="size-2.5 rounded-[2px] bg-accent" /> alarms
          </span>
          <span className="flex items-center gap-1.5">
            <span aria-hidden="true" className={`size-2.5 rounded-[2px] ${stripes}`} /> of them in floods
          </span>
        </figcaption>
      )}
    </figure>
  )
}

function DayBar({ day: { at, alarms, flooded }, top, isMany }: { day: Day; top: number; isMany: boolean }) {
  const height = (count: number) => `${(count / top) * 100}%`
  return (
    <span
      title={`${longDay(Date.parse(at))}: ${plural(alarms, 'alarm')}${flooded > 0 ? `, ${formatNumber(flooded)} in floods` : ''}`}
      className="group flex h-full min-w-0 flex-1 flex-col justify-end"
    >
      {!isMany && alarms > 0 && (
        <span className="pb-0.5 text-center text-[11px] text-ink2 tabular-nums">{formatNumber(alarms)}</span>
      )}
      {flooded > 0 && <span className={`min-h-[2px] rounded-t-[3px] ${stripes}`} style={{ height: height(flooded) }} />}
      {alarms > flooded && (
        <span
          className={`min-h-[2px] bg-accent group-hover:opacity-80 ${flooded > 0 ? '' : 'rounded-t-[3px]'}`}
          style={{ height: height(alarms - flooded) }}
        />
      )}
    </span>
  )
}

/** Returns the smallest of 10, 20, 50, 100 … that leaves room for a number above the highest bar. */
function niceTop(most: number): number {
  for (let power = 10; ; power *= 10)
    for (const top of [power, 2 * power, 5 * power]) if (top * 0.88 >= most) return top
}

/** Returns what the bars show, in words. */
function summaryOf(days: readonly Day[]): string {
  const [first] = days
  if (!first) return 'No alarms'
  const most = days.reduce((one, other) => (other.alarms > one.alarms ? other : one), first)
  const total = days.reduce((sum, { alarms }) => sum + alarms, 0)
  return `Alarms by day: ${formatNumber(total)} in ${days.length} days, at most ${formatNumber(most.alarms)} on ${longDay(Date.parse(most.at))}`
}
