import type { DeviceHealth, PastForecast } from '../../../api/contract/health/device.ts'
import { cartridgeKinds } from '../../../domain/device.ts'
import { SidewaysTable } from '../../../ui/table/SidewaysTable.tsx'
import { formatDate } from '../../../domain/format.ts'
import { likeText } from '../../../domain/health/texts/basisText.ts'
import { coverageText, earlyText } from '../../../domain/health/texts/coverageTexts.ts'

/** How forecasts of the vendor's cartridges turned out, and those of this device. */
export function ForecastOutcomes({ health: { coverage, forecasts, past_forecasts } }: { health: DeviceHealth }) {
  const like = forecasts.map(likeText).find(text => text !== undefined)
  return (
    <>
      <ul className="grid gap-0.5">
        {coverage.map(each => {
          const early = earlyText(each)
          return (
            <li key={each.kind}>
              {coverageText(each)}
              {early !== undefined && <span className="text-ink3"> · {early}</span>}
            </li>
          )
        })}
      </ul>
      <p className="mt-1 text-ink2">
        80 % of cartridges should end inside their interval. The end is the day on which litres, condition or date are
        used up, or of a replacement shortly before. A cartridge that is replaced with more than a tenth of its life
        left counts only once it has outlasted its interval.
      </p>
      {like !== undefined && <p className="mt-1 text-ink2">{like}</p>}
      {past_forecasts.length > 0 && <PastForecasts forecasts={past_forecasts} />}
    </>
  )
}

const heads = ['Made', 'Due', 'Between', 'Ended', 'Outcome']

function PastForecasts({ forecasts }: { forecasts: readonly PastForecast[] }) {
  return (
    <SidewaysTable label="Earlier forecasts of this device">
      <table className="w-full tabular-nums">
        <caption className="sr-only">Earlier forecasts of this device</caption>
        <thead className="text-left text-[11.5px] text-ink3">
          <tr>
            <th scope="col" className="py-1 pr-3 font-medium">
              Cartridge
            </th>
            {heads.map(head => (
              <th key={head} scope="col" className="py-1 pl-3 font-medium">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {forecasts.map(forecast => {
            const { position, kind, made_at, due_at, early_at, late_at, ended_at } = forecast
            return (
              <tr key={`${position} ${made_at}`} className="border-t border-line whitespace-nowrap">
                <th scope="row" className="py-1 pr-3 text-left font-normal">
                  {position + 1} {cartridgeKinds[kind as 0 | 1 | 2]}
                </th>
                <td className="py-1 pl-3">{formatDate(made_at)}</td>
                <td className="py-1 pl-3">{formatDate(due_at)}</td>
                <td className="py-1 pl-3 text-ink2">
                  {formatDate(early_at)} – {formatDate(late_at)}
                </td>
                <td className="py-1 pl-3">{formatDate(ended_at)}</td>
                <td className="py-1 pl-3">{outcomeName(forecast)}</td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </SidewaysTable>
  )
}

const outcomeName = ({ inside, ended_at, early_at }: PastForecast): string => {
  if (inside === null) return 'replaced early'
  if (inside) return 'inside'
  return ended_at < early_at ? 'ended earlier' : 'lasted longer'
}
