/** Builds the console unless `dist` is up to date. */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { program, root } from './programs.ts'

export const dist = join(root, 'dist')
/** File in which the build stores the hash of its sources. */
export const stamp = join(dist, '.vite', 'sources')

const sources = ['src', 'public', 'index.html', 'vite.config.ts', 'tailwind.config.ts', 'package-lock.json']

function filesIn(path: string): string[] {
  if (!existsSync(path)) return []
  if (!statSync(path).isDirectory()) return [path]
  return readdirSync(path)
    .sort()
    .flatMap(name => filesIn(join(path, name)))
}

/** Returns a SHA-256 hash over the names and contents of all files that the build reads. */
export function hashSources(): string {
  const hash = createHash('sha256')
  for (const file of sources.flatMap(name => filesIn(join(root, name)))) {
    hash.update(`${file.slice(root.length)}\0`).update(readFileSync(file))
  }
  return hash.digest('hex')
}

/** Returns whether `dist` contains a build of the current sources. */
export const isBuilt = () => existsSync(stamp) && readFileSync(stamp, 'utf8') === hashSources()

/**
 * Builds the console when its sources have changed since the last build.
 * @throws when the build fails; Vite has printed the reason.
 */
export function buildIfNeeded(): void {
  if (isBuilt()) return
  console.log('Building the console …')
  const { status } = spawnSync(process.execPath, [program('vite'), 'build', '--logLevel', 'warn'], {
    cwd: root,
    // Test runners set NODE_ENV to `test`, with which React's development build would be bundled.
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: 'inherit',
  })
  if (status !== 0) throw new Error('The console build failed.')
}

if (import.meta.main) buildIfNeeded()
