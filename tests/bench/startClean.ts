/** A clean clone of the repository: how long `npm start` takes until it answers. */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { root } from '../../scripts/programs.ts'
import { freePort } from '../support/ports.ts'
import { answers, environmentOfServers } from '../support/serverPrograms.ts'
import type { Bench, LongPart } from './bench.ts'
import { figure, progress, report } from './figures.ts'

/** Seconds from the command to the answer, with packages installed and the console built meanwhile. */
const budget = { max: 45 }

/** Packages may have to be downloaded. */
export const cleanStartPart: LongPart = { limit: 10 * 60_000, measure }

async function measure(bench: Bench): Promise<void> {
  progress('npm start in a clean clone …')
  const folder = await mkdtemp(join(tmpdir(), 'permeate-clone-'))
  bench.after(() => rm(folder, { recursive: true, force: true }))
  const clone = join(folder, 'permeate')
  // What is committed, without the packages and the build of this working copy.
  execFileSync('git', ['clone', '--quiet', root, clone])
  const port = await freePort()
  const own = {
    PORT: String(port),
    MQTT_PORT: String(await freePort()),
    DATA_DIR: join(folder, 'data'),
    HOST: '127.0.0.1',
  }
  const started = performance.now()
  // A group of its own, so that npm, its shell and the server end together.
  const start = spawn('npm', ['start'], {
    cwd: clone,
    env: { ...environmentOfShell(), ...own },
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  })
  let errors = ''
  start.stderr.on('data', (text: Buffer) => (errors = (errors + text.toString()).slice(-5000)))
  bench.after(async () => {
    // npm may end before the server, which closes its database.
    for (signalGroup(start, 'SIGTERM'); signalGroup(start, 0);) await wait(50)
  })
  while (!(await answers(`http://127.0.0.1:${port}`))) {
    if (start.exitCode !== null) throw new Error(`npm start ended (${start.exitCode}):\n${errors}`)
    await wait(50)
  }
  report(figure('clean clone: npm start to answer', 's', [(performance.now() - started) / 1000], budget))
}

/** Sends a signal to the processes of a group; returns whether any is left. */
function signalGroup({ pid }: ChildProcess, signal: 'SIGTERM' | 0): boolean {
  try {
    return process.kill(-pid!, signal)
  } catch {
    return false
  }
}

/** Returns the environment as it was before npm started this bench: with the machine's own Node, and without npm's settings. */
function environmentOfShell(): NodeJS.ProcessEnv {
  const { PATH = '', NODE_ENV: _, ...environment } = environmentOfServers()
  const path = PATH.split(delimiter).filter(part => !part.includes('node_modules'))
  const others = Object.entries(environment).filter(([name]) => !name.startsWith('npm_'))
  return { ...Object.fromEntries(others), PATH: path.join(delimiter) }
}
