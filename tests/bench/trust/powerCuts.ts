/** Power cuts of a server under load: all that was acknowledged is there afterwards, once. */
import { appendFileSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { LinkName } from '../../../server/audit/verify.ts'
import { fleetPath } from '../../../server/demo/fleetFile.ts'
import { dataOf, postgresFolder } from '../../../server/embedded/layout.ts'
import { readPidFile } from '../../../server/embedded/pidFile.ts'
import { FleetDevice } from '../../../server/protocol/fleetFile.ts'
import { random, type Random } from '../../../simulator/model/random.ts'
import { timed } from '../apiCalls.ts'
import type { Bench, LongPart } from '../bench.ts'
import { figure, progress, report } from '../figures.ts'
import { startRealServer, type RealServer } from '../realServer.ts'
import { check, type Checked } from './powerChecks.ts'
import { compilePowerCut, createPowerDisk, NoPowerDisk, type Cut, type PowerDisk } from './powerDisk.ts'
import { Ledger, startLoad, type Credentials } from './powerLoad.ts'
import { databaseProcesses } from './serverProcesses.ts'

const fleet = 40
/** Half of them drop all that was not synced, the others a random part of it. */
const cuts: readonly Cut[] = Array.from({ length: 10 }, (_, index) => (index % 2 === 0 ? 'dropped' : 'torn'))
const controlCuts: readonly Cut[] = ['torn', 'dropped']
/** The most messages and calls that are acknowledged between a start and a cut. */
const maxFurther = 1_000
const limit = 20 * 60_000

/** A server on a disk whose power can be cut. */
interface Powered {
  readonly server: RealServer
  readonly disk: PowerDisk
  readonly devices: readonly Credentials[]
  readonly rng: Random
}

export const powerCutPart: LongPart = {
  limit,
  measure: async bench => {
    progress(`${cuts.length} power cuts …`)
    try {
      compilePowerCut()
      await measureCuts(await start(bench, 1))
      progress('The same with an fsync that does nothing …')
      await measureControl(await start(bench, 2))
    } catch (error) {
      if (!(error instanceof NoPowerDisk)) throw error
      progress(`  left out: ${error.message}. The part trust:syncs counts the syncs instead.`)
    }
  },
}

async function start(bench: Bench, seed: number): Promise<Powered> {
  const rng = random(seed)
  let disk: PowerDisk | undefined
  bench.after(async () => disk?.remove())
  const server = await startRealServer(undefined, fleet, async dataDir => {
    disk = await createPowerDisk(dataDir)
    await disk.mount(seed)
  })
  bench.after(() => server.remove())
  if (disk === undefined) throw new Error('The disk was not mounted')
  const lines = readFileSync(fleetPath(server.dataDir), 'utf8').trimEnd().split('\n')
  return { server, disk, devices: lines.map(line => FleetDevice.parse(JSON.parse(line))), rng }
}

async function measureCuts(powered: Powered): Promise<void> {
  const { server, rng } = powered
  const ledger = new Ledger()
  const starts: number[] = []
  const results: Checked[] = []
  let link: LinkName | undefined
  for (const cut of cuts) {
    await loadAndCut(powered, ledger, cut)
    await powered.disk.mount(rng.integer(1, 2 ** 31))
    starts.push((await timed(() => server.start()))[0])
    const result = await check(server.dataDir, ledger, link)
    link = result.link
    results.push(result)
    progress(`  ${cut}: ${ledger.acknowledged} acknowledged so far, ${describe(result)}`)
  }
  const sum = (of: 'lost' | 'doubled') => results.map(result => result[of])
  report(
    figure('power cuts: acknowledged readings and changes', '', [ledger.acknowledged], null),
    figure('power cuts: acknowledged readings and changes that are lost', '', sum('lost'), { max: 0 }),
    figure('power cuts: readings and changes that are doubled', '', sum('doubled'), { max: 0 }),
    figure('power cuts: start after a cut', 'ms', starts, null),
  )
}

/** Proves that the disk loses what was not synced: without `fsync` each cut has to do harm. */
async function measureControl(powered: Powered): Promise<void> {
  const { server, disk, rng } = powered
  await server.stop()
  const settings = join(dataOf(postgresFolder(server.dataDir)), 'postgresql.conf')
  appendFileSync(settings, 'fsync = off\n', { flush: true })
  await server.start()
  let harmless = 0
  for (const cut of controlCuts) {
    const ledger = new Ledger()
    await loadAndCut(powered, ledger, cut)
    await disk.mount(rng.integer(1, 2 ** 31))
    try {
      await server.start()
      const result = await check(server.dataDir, ledger, undefined)
      progress(`  ${cut}: ${ledger.acknowledged} acknowledged, ${describe(result)}`)
      if (result.lost === 0) harmless++
    } catch (error) {
      progress(`  ${cut}: ${error instanceof Error ? error.message.split('\n').at(-1) : String(error)}`)
      break
    }
  }
  report(figure('control without fsync: power cuts that did no harm', 'cuts', [harmless], { max: 0 }))
}

const describe = ({ lost, doubled }: Checked) => `${lost} lost, ${doubled} doubled`

/** Sends readings and changes, and cuts the power after a random number of acknowledgements. */
async function loadAndCut({ server, disk, devices, rng }: Powered, ledger: Ledger, cut: Cut): Promise<void> {
  const load = await startLoad(server, devices, ledger)
  await Promise.race([ledger.further(rng.integer(1, maxFurther)), load.ended])
  const socketFolder = readPidFile(postgresFolder(server.dataDir))?.socketFolder
  const database = databaseProcesses(server.dataDir)
  let killed: Promise<void> | undefined
  await disk.cut(cut, () => {
    killed = server.kill()
    for (const pid of database) kill(pid)
  })
  await killed
  await load.stop()
  for (const pid of database) while (isThere(pid)) await wait(10)
  // Folders for temporary files do not outlive a cut.
  if (socketFolder) rmSync(socketFolder, { recursive: true, force: true })
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // A connection's process may have ended meanwhile.
  }
}

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
