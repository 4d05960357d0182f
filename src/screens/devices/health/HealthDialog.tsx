import { useSnapshot } from 'valtio'
import { useDeviceHealth } from '../../../api/health/deviceHealth.ts'
import { channelTexts, type Measured } from '../../../domain/health/texts/channelTexts.ts'
import { healthView } from '../../../store/deviceHealth.ts'
import { overlay } from '../../../store/overlays.ts'
import { CloseButton, Dialog } from '../../../ui/Dialog.tsx'
import { Explanation } from './Explanation.tsx'

type Props = NonNullable<typeof overlay.health>

/** The explanation of a device's health, or the help on its channels. */
export function HealthDialog(props: Props) {
  return props.view === 'explain' ? <ExplainDialog bssid={props.bssid} /> : <HelpDialog />
}

const close = () => (overlay.health = undefined)

function ExplainDialog({ bssid }: { bssid: string }) {
  const { range } = useSnapshot(healthView)
  const { data, error } = useDeviceHealth(bssid, range)
  const shown = data?.bssid === bssid ? data.health : undefined
  return (
    <Dialog title={`Health of ${bssid}`} command="health.explain" className="w-[860px] p-5" onClose={close}>
      <div className="mt-3 max-h-[70vh] overflow-auto" tabIndex={0} role="group" aria-label="Explanation">
        {shown ? (
          <Explanation health={shown} onAsk={close} />
        ) : error !== undefined ? (
          <p role="alert">{error instanceof Error ? error.message : 'The health could not be loaded'}</p>
        ) : (
          <div aria-hidden="true" className="h-40 skeleton" />
        )}
      </div>
      <div className="mt-4 flex justify-end">
        <CloseButton autoFocus />
      </div>
    </Dialog>
  )
}

function HelpDialog() {
  return (
    <Dialog title="Health: what is measured" command="health.help" className="w-[760px] p-5" onClose={close}>
      <div className="mt-3 max-h-[70vh] overflow-auto" tabIndex={0} role="group" aria-label="Channels">
        <p className="text-ink2">
          Each channel is computed from the readings while water is drawn, and compared with the device when it was new.
          The score is that of the worst one.
        </p>
        {(Object.keys(channelTexts) as Measured[]).map(channel => {
          const { name, help, test } = channelTexts[channel]
          return (
            <section key={channel} className="mt-4">
              <h3 className="font-semibold">{name}</h3>
              <ul className="mt-1 grid list-disc gap-0.5 pl-5 text-ink2">
                {help.map(line => (
                  <li key={line}>{line}</li>
                ))}
              </ul>
              <p className="mt-1">
                <span className="font-medium">The test that decides:</span> {test}
              </p>
            </section>
          )
        })}
      </div>
      <div className="mt-4 flex justify-end">
        <CloseButton autoFocus />
      </div>
    </Dialog>
  )
}
