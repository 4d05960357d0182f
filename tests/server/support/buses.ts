/** Buses as processes have them, with what each heard and logged. */
import { onTestFinished } from 'vitest'
import type { Bus, Told } from '../../../server/bus/bus.ts'
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

function heardBy(bus: Bus): Told[] {
  const heard: Told[] = []
  bus.hear(told => heard.push(told))
  return heard
}

export const changed = (...bssids: string[]): Told => ({ kind: 'devices', bssids })
