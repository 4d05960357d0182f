/** What a part of the bench may use: a browser and servers, closed once the part has ended or its time is over. */
import { execFileSync } from 'node:child_process'
import { appendFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Browser } from '@playwright/test'
import { dataOf, postgresFolder } from '../../server/embedded/layout.ts'
import { fleetPath } from '../../server/demo/fleetFile.ts'
import { freePort } from '../support/ports.ts'
import { startServer } from '../support/programs.ts'
import { launch } from './browser.ts'
import { progress } from './figures.ts'
import { benchFleet, benchMillion, largeFleet } from './devices/fleet.ts'
import { startRealServer, type RealServer } from './realServer.ts'
import { signIn, type Session } from './session.ts'

/** As in `deploy/compose.large.yaml`, without LZ4, which the embedded PostgreSQL does not have. */
const largeSettings = `
shared_buffers = 4GB
max_wal_size = 16GB
checkpoint_timeout = 15min
wal_compression = on
`

/** Milliseconds that a part may take, unless it has a limit of its own. */
const usualLimit = 300_000

export interface Bench {
  /** Starts a Chromium of the part's own. */
  browser(): Promise<Browser>
  /** Starts a server with the large fleet. No device is connected. */
  largeServer(): Promise<LargeServer>
  /** Starts a server with a million devices. No device is connected. */
  millionServer(): Promise<LargeServer>
  /** Starts a server on a copy of the large fleet, which may be changed. */
  copyOfLargeServer(): Promise<RealServer>
  /**
   * Starts a server on a copy of the fleet of a million; its fleet file has the first `known` devices, and its PostgreSQL the
   * settings of the large form.
   */
  copyOfMillionServer(known: number): Promise<RealServer>
  /** Calls `close` once the part has ended. */
  after(close: () => Promise<unknown>): void
}

export interface LargeServer {
  readonly url: string
  readonly admin: Session
  readonly vendor: Session
}

export type Part = (bench: Bench) => Promise<unknown>

/** A part that may take longer than others: so many milliseconds. */
export interface LongPart {
  readonly limit: number
  readonly measure: Part
}

/**
 * Runs a part and closes what it opened, in reverse order. Rejects with its error, or if it takes longer than its limit or is
 * stopped.
 */
export async function runPart(part: Part | LongPart, stop: AbortSignal): Promise<void> {
  const { limit, measure } = 'limit' in part ? part : { limit: usualLimit, measure: part }
  const closers: (() => Promise<unknown>)[] = []
  const serverOn = async (dataDir: string): Promise<LargeServer> => {
    const server = await startServer(dataDir, await freePort(), { devices: 0 })
    closers.push(() => server.stop())
    const [admin, vendor] = [await signIn(server.url, 'admin'), await signIn(server.url, 'vendor')]
    return { url: server.url, admin, vendor }
  }
  const copyOf = async (original: string, fleet: number, change?: (dataDir: string) => Promise<void>) => {
    const prepare = async (dataDir: string) => {
      // With its owner and permissions, without which PostgreSQL does not start.
      execFileSync('cp', ['-a', `${original}/.`, dataDir])
      await change?.(dataDir)
    }
    const server = await startRealServer(undefined, fleet, prepare)
    closers.push(() => server.remove())
    return server
  }
  const bench: Bench = {
    async browser() {
      const browser = await launch()
      closers.push(() => browser.close())
      return browser
    },
    largeServer: async () => serverOn(await benchFleet()),
    millionServer: async () => serverOn(await benchMillion()),
    copyOfLargeServer: async () => copyOf(await benchFleet(), largeFleet),
    copyOfMillionServer: async known =>
      copyOf(await benchMillion(), known, async dataDir => {
        await rm(fleetPath(dataDir), { force: true })
        await appendFile(join(dataOf(postgresFolder(dataDir)), 'postgresql.conf'), largeSettings)
      }),
    after: close => void closers.push(close),
  }
  const ended = new AbortController()
  const running = measure(bench)
  // After the time is over, the closing of its browser and servers makes it fail again.
  running.catch(() => undefined)
  try {
    await Promise.race([running, timeOver(limit, AbortSignal.any([ended.signal, stop]), stop)])
  } finally {
    ended.abort()
    for (let close = closers.pop(); close; close = closers.pop())
      await close().catch((error: unknown) => progress(`Closing failed: ${String(error)}`))
  }
}

async function timeOver(limit: number, signal: AbortSignal, stop: AbortSignal): Promise<void> {
  await wait(limit, undefined, { signal }).catch(() => undefined)
  if (stop.aborted) throw new Error('It was stopped')
  if (!signal.aborted) throw new Error(`It took longer than ${limit / 1000} s`)
}
