/** Builds the console, but only when the last build was made from other sources. */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { program, root } from './programs.ts'

export const dist = join(root, 'dist')
/** The build leaves the hash of what it was made from here. */
export const stamp = join(dist, '.vite', 'sources')

const sources = ['src', 'public', 'index.html', 'vite.config.ts', 'tailwind.config.ts', 'package-lock.json']

function filesIn(path: string): string[] {
  if (!existsSync(path)) return []
  if (!statSync(path).isDirectory()) return [path]
  return readdirSync(path)
    .sort()
    .flatMap(name => filesIn(join(path, name)))
}

/** One hash over the name and content of everything that the build reads. */
export function hashSources(): string {
  const hash = createHash('sha256')
  for (const file of sources.flatMap(name => filesIn(join(root, name)))) {
    hash.update(`${file.slice(root.length)}\0`).update(readFileSync(file))
  }
  return hash.digest('hex')
}

/** True when `dist` holds a build of the sources as they are. */
export const isBuilt = () => existsSync(stamp) && readFileSync(stamp, 'utf8') === hashSources()

/** @throws when the build fails, after showing why. */
export function buildIfNeeded(): void {
  if (isBuilt()) return
  console.log('Building the console …')
  const { status } = spawnSync(process.execPath, [program('vite'), 'build', '--logLevel', 'warn'], {
    cwd: root,
    stdio: 'inherit',
  })
  if (status !== 0) throw new Error('The console could not be built.')
}

if (import.meta.main) buildIfNeeded()
