/** Power cuts: all that was acknowledged is there afterwards, once. */
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import type { LinkName } from '../../../server/audit/verify.ts'
import { dataOf, postgresFolder } from '../../../server/embedded/layout.ts'
import { timed } from '../apiCalls.ts'
import type { Bench, LongPart } from '../bench.ts'
import { figure, progress, report } from '../figures.ts'
import { check, type Checked } from './powerChecks.ts'
import { compilePowerCut, NoPowerDisk, type Cut } from './powerDisk.ts'
import { cutUnderLoad, cutWhileStarting, damaged, startPowered, type Powered } from './powered.ts'
import { Ledger } from './powerLoad.ts'

/** Half of them drop all that was not synced, the others a random part of it. */
const cuts: readonly Cut[] = Array.from({ length: 10 }, (_, index) => (index % 2 === 0 ? 'dropped' : 'torn'))
/** Cuts during the first start, each on an empty disk. */
const firstCuts: readonly Cut[] = ['dropped', 'torn', 'dropped', 'torn']
const controlCuts: readonly Cut[] = ['torn', 'dropped']

export const powerCutPart: LongPart = {
  limit: 30 * 60_000,
  measure: async bench => {
    progress(`${cuts.length} power cuts …`)
    const [usual, powered] = await timed(() => startWherePermitted(bench))
    if (powered === undefined) return
    await measureCuts(powered)
    progress(`${firstCuts.length} power cuts during the first start …`)
    await measureFirstStarts(powered, usual)
    progress('Power cuts with an fsync that does nothing …')
    await measureControl(powered)
  },
}

/** Says why it cannot be measured on this machine, and then returns undefined. */
async function startWherePermitted(bench: Bench): Promise<Powered | undefined> {
  try {
    compilePowerCut()
    return await startPowered(bench, 1)
  } catch (error) {
    if (!(error instanceof NoPowerDisk)) throw error
    progress(`  left out: ${error.message}. The part trust:syncs counts the syncs instead.`)
    return undefined
  }
}

/** Cuts the power under load, every third time again during the start after that. */
async function measureCuts(powered: Powered): Promise<void> {
  const { server } = powered
  const ledger = new Ledger()
  const starts: number[] = []
  const results: Checked[] = []
  const files: number[] = []
  let link: LinkName | undefined
  for (const [index, cut] of cuts.entries()) {
    const before = await cutUnderLoad(powered, ledger, cut)
    const isTwice = index % 3 === 2
    if (isTwice) await cutWhileStarting(powered, cut, Math.min(...starts))
    starts.push((await timed(() => server.start()))[0])
    const result = await check(server.dataDir, ledger, link)
    link = result.link
    results.push(result)
    const changed = damaged(server.dataDir, before)
    files.push(changed.length)
    progress(
      `  ${cut}${isTwice ? ' twice' : ''}: ${ledger.acknowledged} acknowledged so far, ` +
        `${[...describe(result), ...changed].join(', ')}`,
    )
  }
  report(
    figure('power cuts: acknowledged readings and changes', '', [ledger.acknowledged], null),
    figure('power cuts: acknowledged readings and changes that are lost', '', pick(results, 'lost'), { max: 0 }),
    figure('power cuts: readings and changes that are doubled', '', pick(results, 'doubled'), { max: 0 }),
    figure('power cuts: files that are lost or damaged', '', files, { max: 0 }),
    figure('power cuts: start after a cut', 'ms', starts, null),
  )
}

/** Cuts the power while a new database is created and filled: after that it has to start, and to keep what it is sent. */
async function measureFirstStarts(powered: Powered, usual: number): Promise<void> {
  const { server, disk, rng } = powered
  const results: Checked[] = []
  for (const cut of firstCuts) {
    await server.stop()
    await disk.clear()
    await disk.mount(rng.integer(1, 2 ** 31))
    await cutWhileStarting(powered, cut, usual)
    await server.start()
    const ledger = new Ledger()
    await cutUnderLoad(powered, ledger, cut)
    await server.start()
    const result = await check(server.dataDir, ledger, undefined)
    results.push(result)
    progress(`  ${cut}: ${ledger.acknowledged} acknowledged, ${describe(result).join(', ')}`)
  }
  report(
    figure('power cuts during the first start: acknowledged later and lost', '', pick(results, 'lost'), { max: 0 }),
    figure('power cuts during the first start: doubled', '', pick(results, 'doubled'), { max: 0 }),
  )
}

/** Proves that the disk loses what was not synced: without `fsync` each cut has to do harm. */
async function measureControl(powered: Powered): Promise<void> {
  const { server } = powered
  await server.stop()
  const settings = join(dataOf(postgresFolder(server.dataDir)), 'postgresql.conf')
  appendFileSync(settings, 'fsync = off\n', { flush: true })
  await server.start()
  let harmless = 0
  const lost: number[] = []
  for (const cut of controlCuts) {
    const ledger = new Ledger()
    await cutUnderLoad(powered, ledger, cut)
    try {
      await server.start()
      const result = await check(server.dataDir, ledger, undefined)
      progress(`  ${cut}: ${ledger.acknowledged} acknowledged, ${describe(result).join(', ')}`)
      lost.push(result.lost)
      if (result.lost === 0) harmless++
    } catch (error) {
      progress(`  ${cut}: ${String(error).trim().split('\n').at(-1)}`)
      break
    }
  }
  report(figure('control without fsync: power cuts that did no harm', 'cuts', [harmless], { max: 0 }))
  // A database that does not open has no readings to count.
  if (lost.length > 0)
    report(figure('control without fsync: acknowledged readings and changes that are lost', '', lost, null))
}

const pick = (results: readonly Checked[], of: 'lost' | 'doubled') => results.map(result => result[of])
const describe = ({ lost, doubled }: Checked) => [`${lost} lost`, `${doubled} doubled`]
