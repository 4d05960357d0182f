/** Buses as processes have them, with what each heard and logged. */
import { onTestFinished } from 'vitest'
import type { Bus, BusEvent } from '../../../server/bus/bus.ts'
import { openBus } from '../../../server/bus/openBus.ts'

/** A bus as one more process opens it; closed after the test. */
export async function openHeard(databaseUrl: string | undefined) {
  const log: string[] = []
  const bus = await openBus(
    { databaseUrl },
    { info: text => log.push(text), error: (text, error) => log.push(`${text}: ${String(error)}`) },
  )
  onTestFinished(() => bus.close())
  return { bus, heard: heardBy(bus), log }
}

function heardBy(bus: Bus): BusEvent[] {
  const heard: BusEvent[] = []
  bus.subscribe(told => heard.push(told))
  return heard
}

export const changed = (...bssids: string[]): BusEvent => ({ kind: 'devices', bssids })
