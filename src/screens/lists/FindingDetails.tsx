import type { ReactNode } from 'react'
import type { Finding } from '../../api/contract/findings.ts'
import { commandOf } from '../../commands/core/registry.ts'
import { actionOfFinding } from '../../commands/findings/suggested.ts'
import { CommandButton } from '../../commands/surfaces/buttons/CommandButton.tsx'
import { run } from '../../commands/surfaces/run/run.ts'
import { itemOf } from '../../api/lists.ts'
import { noValue } from '../../domain/format.ts'
import { causeNames } from '../../domain/health/texts/causeNames.ts'
import { causeTexts } from '../../domain/health/texts/causes.ts'
import { channelTexts } from '../../domain/health/texts/channelTexts.ts'
import { baselineText } from '../../domain/health/texts/channelValues.ts'
import { beganText, errorInWords } from '../../domain/health/texts/explain.ts'
import { changeText, findingText } from '../../domain/health/texts/findingTexts.ts'
import { routes } from '../../domain/lists/routes.ts'
import { useUnits } from '../../store/preferences.ts'
import { useNow } from '../../ui/useNow.ts'

/** A finding in the side panel: a sentence about it, its likely causes as bars, its evidence, and what to do. */
export function FindingDetails({ finding }: { finding: Finding }) {
  const now = useNow()
  const units = useUnits()
  const { title, icon } = actionOfFinding(finding)
  const { bssid, description, cause, confidence, alternatives, evidence, ended_at } = finding
  const { advice, test } = causeTexts[cause]
  // No change can be expected from an unknown cause.
  const isKnown = cause !== 'unknown'
  return (
    <div className="grid gap-3.5 border-b border-line px-4 py-3.5">
      <p>
        {findingText(finding, ended_at === null ? now : Date.parse(ended_at))}.{' '}
        <span className="text-ink2">{beganText(finding)}</span>
      </p>
      <p>
        <a
          href={`${routes.devices.path}/${bssid}`}
          data-command="finding.open"
          className="font-mono text-[12px] text-accent hover:underline touch:py-[13px]"
          onClick={event => {
            if (event.metaKey || event.ctrlKey || event.shiftKey) return
            event.preventDefault()
            void run('finding.open', { targets: [itemOf('findings', finding)] })
          }}
        >
          {bssid}
        </a>
        {description && <span className="text-ink2"> · {description}</span>}
      </p>
      <Part title="Likely causes">
        <ul className="grid gap-1">
          <CauseBar name={causeNames[cause]} percent={confidence} first />
          {alternatives.map(other => (
            <CauseBar key={other.cause} name={causeNames[other.cause]} percent={other.confidence} first={false} />
          ))}
        </ul>
      </Part>
      {evidence.length > 0 && (
        <Part title="Evidence">
          <table className="w-full text-[12px] tabular-nums">
            <thead className="text-left text-ink3">
              <tr>
                <th scope="col" className="font-normal">
                  Channel
                </th>
                <th scope="col" className="pl-2 text-right font-normal">
                  Change
                </th>
                {isKnown && (
                  <th scope="col" className="pl-2 text-right font-normal">
                    Expected
                  </th>
                )}
                <th scope="col" className="pl-2 text-right font-normal">
                  Neighbours
                </th>
              </tr>
            </thead>
            <tbody>
              {evidence.map(one => (
                <tr key={one.channel} className="align-top">
                  <th scope="row" className="py-0.5 text-left font-normal">
                    {channelTexts[one.channel].name}
                    <span className="block text-[11.5px] text-ink3">{baselineText(one, units)}</span>
                  </th>
                  <td className="pl-2 text-right">
                    <span className="font-medium whitespace-nowrap">{changeText(one.value, one.unit)}</span>{' '}
                    <span className="whitespace-nowrap text-ink3">{errorInWords(one)}</span>
                  </td>
                  {isKnown && <td className="pl-2 text-right text-ink2">{changeText(one.expected[0], one.unit)}</td>}
                  <td className="pl-2 text-right text-ink2">
                    {one.neighbours ? `${changeText(one.neighbours.median, one.unit)} (${one.neighbours.n})` : noValue}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </Part>
      )}
      <Part title="What to do">
        <p>{advice}</p>
        <p className="text-ink2">To be sure: {test}</p>
        <p className="mt-1">
          <CommandButton command={commandOf('finding.answer')} label={title} icon={icon} className="!h-7" />
        </p>
      </Part>
    </div>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="grid gap-1">
      <h3 className="text-[12.5px] font-semibold">{title}</h3>
      {children}
    </section>
  )
}

function CauseBar({ name, percent, first }: { name: string; percent: number; first: boolean }) {
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_80px_42px] items-center gap-2">
      <span className={`truncate ${first ? 'font-medium' : 'text-ink2'}`}>{name}</span>
      <span aria-hidden="true" className="h-1.5 overflow-hidden rounded-full bg-mute-soft">
        <span className={`block h-full ${first ? 'bg-accent' : 'bg-ink3'}`} style={{ width: `${percent}%` }} />
      </span>
      <span className="text-right tabular-nums">{percent} %</span>
    </li>
  )
}
