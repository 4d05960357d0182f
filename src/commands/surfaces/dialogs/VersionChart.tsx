import { versionRows, type VersionCount } from '../../../domain/jobs/versions.ts'
import { formatNumber } from '../../../domain/format.ts'

/**
 * How many devices run each firmware version, newest first, as a table with bars. `target` is the version that a job
 * installs; `max` limits the rows, the others are counted in one.
 */
export function VersionChart(props: {
  versions: readonly VersionCount[]
  target: string | undefined
  max: number
  className?: string
}) {
  const { versions, target, max, className = '' } = props
  const { rows, others } = versionRows(versions, target, max)
  const maxCount = Math.max(1, others.count, ...rows.map(({ count }) => count))
  return (
    <table className={`w-full border-separate border-spacing-y-0.5 text-[12px] ${className}`}>
      <caption className="pb-1 text-left text-ink2">Firmware that the devices run now</caption>
      <thead className="sr-only">
        <tr>
          <th scope="col">Version</th>
          <td aria-hidden="true" />
          <th scope="col">Devices</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ version, count, isTarget }) => (
          <tr key={version} data-target={isTarget || undefined}>
            <th scope="row" className="w-px max-w-[14rem] pr-3 text-left font-normal whitespace-nowrap">
              <span className="flex items-center gap-1.5">
                <span className={`truncate tabular-nums ${isTarget ? 'font-semibold' : ''}`}>
                  {version === '' ? 'Unknown' : version}
                </span>
                {isTarget && (
                  <span className="rounded-[5px] bg-accent-soft px-1.5 text-[11px] font-medium text-accent">
                    target
                  </span>
                )}
              </span>
            </th>
            <Count count={count} maxCount={maxCount} tone={isTarget ? 'bg-accent' : 'bg-ink3'} />
          </tr>
        ))}
        {others.versions > 0 && (
          <tr>
            <th scope="row" className="w-px pr-3 text-left font-normal whitespace-nowrap text-ink2">
              {others.versions === 1 ? '1 other' : `${formatNumber(others.versions)} others`}
            </th>
            <Count count={others.count} maxCount={maxCount} tone="bg-ink3/50" />
          </tr>
        )}
      </tbody>
    </table>
  )
}

function Count({ count, maxCount, tone }: { count: number; maxCount: number; tone: string }) {
  return (
    <>
      <td aria-hidden="true">
        <span className="block h-2.5 overflow-hidden rounded-[3px] bg-mute-soft">
          <span
            className={`block h-full rounded-[3px] ${tone}`}
            // One of a hundred thousand is still seen.
            style={{ width: count === 0 ? 0 : `max(2px, ${(count / maxCount) * 100}%)` }}
          />
        </span>
      </td>
      <td className="w-px min-w-[3.5rem] pl-2 text-right tabular-nums">{formatNumber(count)}</td>
    </>
  )
}
