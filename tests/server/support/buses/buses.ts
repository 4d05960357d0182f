/** Buses as separate processes open them, with the events received and the lines logged by each. */
import { onTestFinished } from 'vitest'
import type { Bus, BusEvent } from '../../../../server/bus/bus.ts'
import { openBus } from '../../../../server/bus/openBus.ts'

/** Opens a bus as another process would; it is closed after the test. */
export async function openRecordedBus(databaseUrl: string | undefined, natsUrl?: string) {
  const log: string[] = []
  const bus = await openBus(
    { databaseUrl, natsUrl },
    { info: text => log.push(text), error: (text, error) => log.push(`${text}: ${String(error)}`) },
  )
  onTestFinished(() => bus.close())
  return { bus, received: recordEvents(bus), log }
}

function recordEvents(bus: Bus): BusEvent[] {
  const received: BusEvent[] = []
  bus.subscribe(event => received.push(event))
  return received
}

export const changed = (...bssids: string[]): BusEvent => ({ kind: 'devices', bssids })
