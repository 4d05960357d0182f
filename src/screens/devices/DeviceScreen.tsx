import { useEffect, type ReactNode } from 'react'
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
import { Redirect } from '../../ui/Redirect.tsx'
import { Cartridges } from './Cartridges.tsx'
import { DeviceFacts, Firmware, Power, LastDayStatistics } from './DeviceFacts.tsx'
import { DeviceHead } from './DeviceHead.tsx'
import { DeviceSettings } from './DeviceSettings.tsx'
import { DeviceEvents, DeviceNotifications, SentCommands } from './DeviceActivity.tsx'
import { DeviceTasks } from './DeviceTasks.tsx'
import { HealthActions } from './health/HealthActions.tsx'
import { HealthContent } from './health/HealthContent.tsx'
import { Measurements } from './Measurements.tsx'
import { Section } from './Section.tsx'

/** The screen of one device with its live values. The side panel has its commands. `address` is the bssid in the path. */
export function DeviceScreen({ address = '' }: { address?: string }) {
  const bssid = normaliseBssid(address)
  if (address !== bssid) return <Redirect path={`/devices/${bssid}`} />
  return <OneDevice key={bssid} bssid={bssid} />
}

/** Milliseconds after which the neighbours are prefetched, so that stepping quickly past a device does not load them. */
const prefetchDelay = 200

function OneDevice({ bssid }: { bssid: string }) {
  const response = useDevice(bssid)
  const error: unknown = response.error
  const notFound = error instanceof ApiError && error.status === 404
  // SWR returns the previous device's data until this device has loaded.
  const device = response.data?.bssid === bssid && !notFound ? response.data : undefined
  useFocusInList(bssid, device)
  const hasFailed = !device && error !== undefined
  useEffect(() => {
    focus.devices.hasFailed = hasFailed
    return () => void (focus.devices.hasFailed = false)
  }, [hasFailed])
  return (
    <div className="@container min-h-0 flex-1 overflow-auto">
      <DeviceHead bssid={bssid} device={device} />
      {device ? (
        <DeviceContent device={device} />
      ) : error !== undefined ? (
        <LoadError error={error} notFound={notFound} />
      ) : (
        <Skeleton />
      )}
    </div>
  )
}

/** The device's sections in two columns, or in one on narrow screens. */
function DeviceContent({ device }: { device: DeviceDetail }) {
  const { bssid } = device
  return (
    <div className="grid gap-3 p-3 @xl:p-4">
      <h2 className="sr-only">Measurements</h2>
      <Measurements device={device} />
      <Section title="Health" anchor="health" actions={<HealthActions />}>
        <HealthContent device={device} />
      </Section>
      <div className="grid items-start gap-3 @2xl:grid-cols-2">
        <Column>
          <LastDayStatistics device={device} />
          <Section title="Filters" anchor="filters">
            <Cartridges cartridges={device.cartridges} />
          </Section>
          <DeviceNotifications bssid={bssid} />
          <SentCommands device={device} />
          <DeviceTasks bssid={bssid} />
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

function LoadError({ error, notFound }: { error: unknown; notFound: boolean }) {
  return (
    <div className="grid justify-items-center gap-3 p-12 text-center">
      <p role="alert">{error instanceof ApiError ? error.message : 'The device could not be loaded'}</p>
      <p className="max-w-[46ch] text-ink2">
        {notFound
          ? 'It may have been deleted, or it belongs to another account.'
          : 'The device appears as soon as the server responds.'}
      </p>
      <div className="flex flex-wrap justify-center gap-2">
        {!notFound && <CommandButton command={commandOf('view.refresh')} label="Retry" primary />}
        <CommandButton command={commandOf('device.back')} />
      </div>
    </div>
  )
}

function Skeleton() {
  return (
    <div aria-hidden="true" className="grid gap-3 p-3 @xl:p-4">
      <div className="grid grid-cols-2 gap-3 @xl:grid-cols-3 @6xl:grid-cols-5">
        {Array.from({ length: 9 }, (_, index) => (
          <span key={index} className="skeleton h-[124px]" />
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
 * Loads the page of the list that the device was opened from, also after a reload. Keeps the device's row focused for
 * the return to the list, and prefetches its neighbours.
 */
function useFocusInList(bssid: string, device: DeviceDetail | undefined): void {
  const list = useSnapshot(lists.devices) as ListState
  const { data } = useList('devices', queryOf(list))
  usePrefetch('devices', list, data?.count)
  useEffect(() => {
    const index = data?.data.findIndex(row => row.bssid === bssid) ?? -1
    if (index >= 0) Object.assign(focus.devices, { id: bssid, index })
    // Commands read the device's position, and whether it has loaded, again.
    focus.devices.pageLoads++
    const timer = setTimeout(() => {
      const neighbours = neighboursOf(bssid)
      for (const neighbour of [neighbours?.next, neighbours?.previous])
        if (neighbour !== undefined) prefetchDevice(neighbour)
    }, prefetchDelay)
    return () => clearTimeout(timer)
  }, [bssid, data, device])
}
