import type { Coverage } from '../../api/contract/health/fleet.ts'
import { coveredShare, coverageText, earlyText, kindsName } from '../../domain/health/texts/coverageTexts.ts'

/** Shares of the outcomes between which an interval of 80 % does what it should. */
const aim = [76, 84] as const

/** How forecasts of a kind of cartridge turned out: the share inside, as a bar with the aim marked, and in words. */
export function CoverageRow({ coverage }: { coverage: Coverage }) {
  const share = coveredShare(coverage)
  const isOnAim = share !== undefined && share >= aim[0] && share <= aim[1]
  const early = earlyText(coverage)
  return (
    <li>
      <div className="flex items-baseline justify-between gap-3">
        <span>{kindsName(coverage.kind)}</span>
        <span className={`font-medium tabular-nums ${share === undefined ? 'text-ink3' : ''}`}>
          {share === undefined ? 'typical' : `${share} %`}
        </span>
      </div>
      <div aria-hidden="true" className="relative mt-1 h-2.5 overflow-hidden rounded-full bg-mute-soft">
        <span
          className={`absolute inset-y-0 left-0 ${isOnAim ? 'bg-ok' : 'bg-warn'}`}
          style={{ width: `${share ?? 0}%` }}
        />
        <span
          className="absolute inset-y-0 border-x border-ink2"
          style={{ left: `${aim[0]}%`, width: `${aim[1] - aim[0]}%` }}
        />
      </div>
      <p className="mt-0.5 text-[12px] text-ink2">
        {coverageText(coverage)}
        {early !== undefined && <span className="text-ink3"> · {early}</span>}
      </p>
    </li>
  )
}
