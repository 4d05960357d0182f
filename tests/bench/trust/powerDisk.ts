/** A disk whose power can be cut: the file system `powerCut`, compiled and mounted where the machine permits it. */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, constants, mkdirSync, readdirSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from '../../../scripts/programs.ts'

/** `dropped`: nothing survives that was not synced. `torn`: a random part of it does, in any order. */
export type Cut = 'dropped' | 'torn'

export interface PowerDisk {
  /** Mounts what is on the disk; the seed decides what a torn cut leaves. */
  mount(seed: number): Promise<void>
  /** Unmounts it and removes its data. */
  clear(): Promise<void>
  /** Cuts the power: ends the file system, and at the same moment `kill` all that uses it. */
  cut(cut: Cut, kill: () => void): Promise<void>
}

/** The machine cannot have such a disk; the message says why, and how to change that, as a sentence without a full stop. */
export class NoPowerDisk extends Error {}

const sources = join(import.meta.dirname, 'powerCut')
const program = join(root, 'node_modules', '.cache', 'bench', 'powerCut')
const install = 'on Debian: apt-get install gcc fuse3 libfuse3-dev'

/** Compiles the file system. @throws NoPowerDisk */
export function compilePowerCut(): void {
  try {
    accessSync('/dev/fuse', constants.R_OK | constants.W_OK)
  } catch {
    throw new NoPowerDisk('/dev/fuse is missing, or closed to this user')
  }
  mkdirSync(join(program, '..'), { recursive: true })
  const files = readdirSync(sources)
    .filter(name => name.endsWith('.c'))
    .map(name => join(sources, name))
  try {
    execFileSync('fusermount3', ['--version'], { stdio: 'ignore' })
    execFileSync('gcc', ['-O2', '-std=gnu11', '-I/usr/include/fuse3', ...files, '-o', program, '-lfuse3'], {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...process.env, LC_ALL: 'C' },
    })
  } catch (error) {
    const isMissing = error instanceof Error && /ENOENT|fuse\.h: No such file|cannot find -lfuse3/.test(error.message)
    if (!isMissing) throw error
    throw new NoPowerDisk(`a compiler or FUSE is missing (${install})`, { cause: error })
  }
}

/** Creates an empty disk, to be mounted at a folder that exists. */
export async function createPowerDisk(mountedAt: string): Promise<PowerDisk> {
  const folder = await mkdtemp(join(tmpdir(), 'permeate-power-'))
  let running: { readonly child: ChildProcess; readonly ended: Promise<unknown[]> } | undefined
  const unmount = () => execFileSync('fusermount3', ['-uz', mountedAt])
  return {
    async mount(seed) {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const child = spawn(program, [folder, mountedAt, String(seed)], { stdio: ['ignore', 'pipe', 'pipe'] })
      let errors = ''
      child.stderr.on('data', (text: Buffer) => (errors += text.toString()))
      const ended = once(child, 'exit')
      // It prints a line once it is mounted.
      if ((await Promise.race([once(child.stdout, 'data'), ended.then(() => 'ended')])) === 'ended')
        throw new NoPowerDisk(`mounting a file system is not permitted (${errors.trim()})`)
      running = { child, ended }
    },
    async cut(cut, kill) {
      if (running === undefined) throw new Error('The disk is not mounted')
      const { child, ended } = running
      child.kill(cut === 'torn' ? 'SIGUSR1' : 'SIGKILL')
      kill()
      const [code, signal] = (await ended) as [number | null, NodeJS.Signals | null]
      running = undefined
      unmount()
      if (cut === 'torn' ? code !== 0 : signal !== 'SIGKILL')
        throw new Error(`The file system ended by itself, with ${code ?? signal}`)
    },
    async clear() {
      if (running !== undefined) {
        unmount()
        running.child.kill('SIGKILL')
        await running.ended
        running = undefined
      }
      await rm(folder, { recursive: true, force: true })
    },
  }
}
