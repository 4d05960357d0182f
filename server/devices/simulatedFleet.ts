/** Devices that are not there: a link that behaves as a fleet would, so that success is as partial as in the field. */
import { createHash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { and, eq } from 'drizzle-orm'
import type { Database } from '../db/database.ts'
import { devices } from '../db/schema/devices.ts'
import { acknowledgementTimeout, type Acknowledgement, type Link } from './link.ts'
import type { DeviceCommand } from './protocol/commands.ts'
import { driftSlice } from './simulatedReadings.ts'

export interface SimulationOptions {
  /** Multiplies every latency; 0 answers at once. */
  readonly pace?: number
  /** Milliseconds between two slices of readings; 0 for none. */
  readonly tick?: number
}

/** Why a device may refuse, by the number that its key gives; all others comply. */
const refusals: Readonly<Record<number, string>> = {
  7: 'Refused: a technician has put the device in service mode',
  41: 'Refused: the device is drawing water',
  83: 'Refused: the supply voltage is too low',
}

/** 0–99, the same for the same device. */
const temper = (bssid: string) => createHash('sha256').update(bssid).digest().readUInt16BE() % 100

/** Milliseconds: most answer in 5–40, one in twenty is slow. */
function latency(bssid: string): number {
  const slow = temper(bssid) % 20 === 3
  return slow ? 50 + Math.random() * 350 : 5 + Math.random() * 35
}

export function simulatedFleet(db: Database, { pace = 1, tick = 1_000 }: SimulationOptions = {}): Link {
  const stop = new AbortController()
  const running = new Set<Promise<void>>()
  /** Work beside the answers, which `close` ends and waits for. */
  const beside = (work: Promise<void>) => {
    const quiet = work.catch(ignoreAbort).finally(() => running.delete(quiet))
    running.add(quiet)
  }
  if (tick > 0) beside(drift(db, tick, stop.signal))

  const send = async (bssid: string, command: DeviceCommand): Promise<Acknowledgement> => {
    const wait = latency(bssid) * pace
    const answer = refusals[temper(bssid)]
    try {
      await delay(Math.min(wait, acknowledgementTimeout), undefined, { signal: stop.signal })
    } catch {
      return { ok: false, reason: 'The server is stopping' }
    }
    if (wait > acknowledgementTimeout) return { ok: false, reason: 'Device did not answer within 10 seconds' }
    if (answer !== undefined) return { ok: false, reason: answer }
    if (command.type === 'flush') beside(flush(db, bssid, pace, stop.signal))
    return { ok: true }
  }
  return {
    send,
    close: async () => {
      stop.abort()
      await Promise.all(running)
    },
  }
}

/** Shows Flushing for as long as the device is set to flush, then Ready. */
async function flush(db: Database, bssid: string, pace: number, signal: AbortSignal): Promise<void> {
  const [device] = await db
    .update(devices)
    .set({ status: 2 })
    .where(eq(devices.bssid, bssid))
    .returning({ seconds: devices.flush_duration })
  if (device === undefined) return
  try {
    await delay(device.seconds * 1000 * pace, undefined, { signal })
  } finally {
    await db
      .update(devices)
      .set({ status: 0 })
      .where(and(eq(devices.bssid, bssid), eq(devices.status, 2)))
  }
}

/** A slice of the fleet after every tick, in turn, so that no statement is long. */
async function drift(db: Database, tick: number, signal: AbortSignal): Promise<void> {
  let after = ''
  for (;;) {
    await delay(tick, undefined, { signal })
    after = await driftSlice(db, after, new Date())
  }
}

function ignoreAbort(error: unknown): void {
  if (!(error instanceof Error && error.name === 'AbortError')) throw error
}
