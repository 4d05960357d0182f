import { useEffect, type ReactNode } from 'react'
import { Navigate, useParams } from 'react-router-dom'
import { useSnapshot } from 'valtio'
import type { DeviceDetail } from '../../api/contract/devices.ts'
import { ApiError } from '../../api/errors.ts'
import { prefetchDevice, useDevice, useList } from '../../api/hooks.ts'
import { queryOf } from '../../api/readList.ts'
import { neighboursOf } from '../../commands/devices/neighbours.ts'
import { commandOf } from '../../commands/core/registry.ts'
import { CommandButton } from '../../commands/surfaces/buttons/CommandButton.tsx'
import { usePrefetch } from '../../commands/surfaces/list/prefetch.ts'
import { normaliseBssid } from '../../domain/bssid.ts'
import { focus } from '../../store/focus.ts'
import { lists, type ListState } from '../../store/lists.ts'
import { Cartridges } from './Cartridges.tsx'
import { DeviceFacts, Firmware, Power, Today } from './DeviceFacts.tsx'
import { DeviceHead } from './DeviceHead.tsx'
import { DeviceSettings } from './DeviceSettings.tsx'
import { DeviceEvents, DeviceNotifications, SentCommands } from './Happenings.tsx'
import { Measures } from './Measures.tsx'
import { Section } from './Section.tsx'

/** One device on a page of its own: all that is known of it, as it changes. What can be done to it is in its panel. */
export function DeviceScreen() {
  const { bssid: given = '' } = useParams()
  const bssid = normaliseBssid(given)
  if (given !== bssid) return <Navigate to={`/devices/${bssid}`} replace />
  return <OneDevice key={bssid} bssid={bssid} />
}

function OneDevice({ bssid }: { bssid: string }) {
  const answer = useDevice(bssid)
  const { error } = answer
  // Until its own values are here, those of the device before are not shown as its own.
  const gone = error instanceof ApiError && error.status === 404
  const device = answer.data?.bssid === bssid && !gone ? answer.data : undefined
  usePlaceInList(bssid, device)
  return (
    <div className="@container min-h-0 flex-1 overflow-auto">
      <DeviceHead bssid={bssid} device={device} />
      {device ? <Known device={device} /> : error !== undefined ? <Lost error={error} gone={gone} /> : <Skeleton />}
    </div>
  )
}

/** Two columns that each grow as they need; one where there is no room. */
function Known({ device }: { device: DeviceDetail }) {
  const { bssid } = device
  return (
    <div className="grid gap-3 p-3 @xl:p-4">
      <h2 className="sr-only">Measurements</h2>
      <Measures device={device} />
      <div className="grid items-start gap-3 @2xl:grid-cols-2">
        <Column>
          <Today device={device} />
          <Section title="Filters" anchor="filters">
            <Cartridges cartridges={device.cartridges} />
          </Section>
          <DeviceNotifications bssid={bssid} />
          <SentCommands device={device} />
          <DeviceEvents bssid={bssid} />
        </Column>
        <Column>
          <DeviceSettings device={device} />
          <DeviceFacts device={device} />
          <Firmware device={device} />
          <Power device={device} />
        </Column>
      </div>
    </div>
  )
}

const Column = ({ children }: { children: ReactNode }) => (
  <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-3">{children}</div>
)

function Lost({ error, gone }: { error: unknown; gone: boolean }) {
  return (
    <div className="grid justify-items-center gap-3 p-12 text-center">
      <p role="alert">{error instanceof ApiError ? error.message : 'The device could not be loaded'}</p>
      <p className="max-w-[46ch] text-ink2">
        {gone
          ? 'It may have been deleted, or belong to someone else.'
          : 'What is known of it shows as soon as the server answers.'}
      </p>
      <div className="flex flex-wrap justify-center gap-2">
        {!gone && <CommandButton command={commandOf('view.refresh')} label="Retry" primary />}
        <CommandButton command={commandOf('device.back')} />
      </div>
    </div>
  )
}

function Skeleton() {
  return (
    <div aria-hidden="true" className="grid gap-3 p-3 @xl:p-4">
      <div className="grid grid-cols-2 gap-3 @xl:grid-cols-3 @6xl:grid-cols-5">
        {Array.from({ length: 9 }, (_, place) => (
          <span key={place} className="skeleton h-[124px]" />
        ))}
      </div>
      <div className="grid gap-3 @2xl:grid-cols-2">
        <span className="skeleton h-72" />
        <span className="skeleton h-72" />
      </div>
    </div>
  )
}

/**
 * Follows the list that the device was opened from: reads its page, also after a reload, keeps the row as the focused
 * one for the way back, and reads the neighbours ahead.
 */
function usePlaceInList(bssid: string, device: DeviceDetail | undefined): void {
  const list = useSnapshot(lists.devices) as ListState
  const { data } = useList('devices', queryOf(list))
  usePrefetch('devices', list, data?.count)
  useEffect(() => {
    const at = data?.data.findIndex(row => row.bssid === bssid) ?? -1
    if (at >= 0) Object.assign(focus.devices, { id: bssid, index: at })
    // Commands look again at where it stands, and at whether it is here at all.
    focus.devices.arrivals++
    const ahead = setTimeout(() => {
      const here = neighboursOf(bssid)
      for (const beside of [here?.next, here?.previous]) if (beside !== undefined) prefetchDevice(beside)
    }, 200)
    return () => clearTimeout(ahead)
  }, [bssid, data, device])
}
