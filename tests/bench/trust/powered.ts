/** A server on a disk whose power is cut: during a load, and while it starts. */
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fleetPath } from '../../../server/demo/fleetFile.ts'
import { postgresFolder, unfinishedFolder } from '../../../server/embedded/layout.ts'
import { readPidFile } from '../../../server/embedded/pidFile.ts'
import { random, type Random } from '../../../simulator/model/random.ts'
import type { Bench } from '../bench.ts'
import { readFleet } from '../devices/wire.ts'
import { startRealServer, type RealServer } from '../realServer.ts'
import { createPowerDisk, type Cut, type PowerDisk } from './powerDisk.ts'
import { startLoad, type Ledger } from './powerLoad.ts'
import { databaseProcesses } from './serverProcesses.ts'

export interface Powered {
  readonly server: RealServer
  readonly disk: PowerDisk
  readonly rng: Random
}

/** Contents of files by name. */
type Files = ReadonlyMap<string, string>

const fleet = 40
/** The most messages and calls that are acknowledged between a start and a cut. */
const maxFurther = 1_000

/** Starts it on a new disk; both end with the part. @throws NoPowerDisk */
export async function startPowered(bench: Bench, seed: number): Promise<Powered> {
  const rng = random(seed)
  let disk: PowerDisk | undefined
  let mountedAt: string | undefined
  bench.after(async () => {
    await disk?.clear()
    if (mountedAt !== undefined) await rm(mountedAt, { recursive: true, force: true })
  })
  const server = await startRealServer(undefined, fleet, async dataDir => {
    mountedAt = dataDir
    disk = await createPowerDisk(dataDir)
    await disk.mount(seed)
  })
  bench.after(() => server.remove())
  if (disk === undefined) throw new Error('The disk was not mounted')
  return { server, disk, rng }
}

/**
 * Sends readings and changes, and cuts the power after a random number of acknowledgements. Returns the files as they were
 * when the first were sent.
 */
export async function cutUnderLoad(powered: Powered, ledger: Ledger, cut: Cut): Promise<Files> {
  const { server, rng } = powered
  const load = await startLoad(server, readFleet(fleetPath(server.dataDir)), ledger)
  const files = filesIn(server.dataDir)
  await Promise.race([ledger.further(rng.integer(1, maxFurther)), load.ended])
  await cutPower(powered, cut)
  await load.stop()
  return files
}

/** Starts it, and cuts the power at a random moment before it usually answers: after so many milliseconds. */
export async function cutWhileStarting(powered: Powered, cut: Cut, usual: number): Promise<void> {
  const starting = powered.server.start().catch(() => undefined)
  await wait(powered.rng.between(0, usual))
  await cutPower(powered, cut)
  await starting
}

/** Cuts the power, and turns it on again. */
async function cutPower({ server, disk, rng }: Powered, cut: Cut): Promise<void> {
  const sockets = [postgresFolder, unfinishedFolder].map(folder => readPidFile(folder(server.dataDir))?.socketFolder)
  const database = databaseProcesses(server.dataDir)
  let killed: Promise<void> | undefined
  await disk.cut(cut, () => {
    killed = server.kill()
    for (const pid of database) send(pid, 'SIGKILL')
  })
  await killed
  for (const pid of database) while (send(pid, 0)) await wait(10)
  // Folders for temporary files do not outlive a cut.
  for (const folder of sockets) if (folder) rmSync(folder, { recursive: true, force: true })
  await disk.mount(rng.integer(1, 2 ** 31))
}

/** Returns whether the process was there. */
function send(pid: number, signal: 'SIGKILL' | 0): boolean {
  try {
    return process.kill(pid, signal)
  } catch {
    return false
  }
}

/** Returns the files outside of the database that must not change: the key, the fleet file and the mails. */
function filesIn(dataDir: string): Files {
  const outbox = join(dataDir, 'outbox')
  // The server makes it with the first mail.
  const mails = existsSync(outbox) ? readdirSync(outbox).map(name => join('outbox', name)) : []
  const names = ['secrets.key', join('simulator', 'fleet.jsonl'), ...mails.filter(name => name.endsWith('.eml'))]
  return new Map(names.map(name => [name, readFileSync(join(dataDir, name), 'utf8')]))
}

/** Returns the names of files that are not as they were. */
export const damaged = (dataDir: string, before: Files): string[] => {
  const now = filesIn(dataDir)
  return [...before].filter(([name, content]) => now.get(name) !== content).map(([name]) => name)
}
