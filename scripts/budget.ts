/**
 * Measures the console's JavaScript in kB gzip: the chunks that load before the first row of devices shows, and all
 * chunks. Fails if the former exceed the budget.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { dist } from './build.ts'

/** Maximum kB gzip to the first row. */
const budget = 130
/** Names of the entry chunks that load before the first row shows. */
const neededForFirstRow = ['index', 'app']
/** Counted although it may be a lazy chunk, because the first row cannot show without it. */
const firstScreen = 'src/screens/devices/DevicesScreen.tsx'

interface Chunk {
  file: string
  name?: string
  imports?: string[]
}
type Manifest = Record<string, Chunk>

/** Returns the keys of these chunks and of all their static imports. */
function withImports(manifest: Manifest, keys: string[], visited = new Set<string>()): Set<string> {
  for (const key of keys) {
    if (visited.has(key)) continue
    visited.add(key)
    withImports(manifest, manifest[key]?.imports ?? [], visited)
  }
  return visited
}

/** Returns the size of the scripts of these chunks. */
function gzipKilobytes(manifest: Manifest, keys: Iterable<string>, read: (file: string) => Buffer): number {
  const files = new Set([...keys].flatMap(key => manifest[key]?.file ?? []).filter(file => file.endsWith('.js')))
  return [...files].reduce((sum, file) => sum + gzipSync(read(file), { level: 9 }).length, 0) / 1000
}

/** Sizes in kB gzip. */
export interface ScriptSizes {
  firstRow: number
  all: number
}

/**
 * Measures a Vite manifest; `read` returns the content of a built file.
 * @throws when an entry chunk was renamed.
 */
export function measureScripts(manifest: Manifest, read: (file: string) => Buffer): ScriptSizes {
  const entryKeys = neededForFirstRow.map(name => {
    // Otherwise a renamed chunk would silently be missing from the sum.
    const key = Object.keys(manifest).find(chunk => manifest[chunk]!.name === name)
    if (key === undefined)
      throw new Error(`There is no chunk named ${name}: update neededForFirstRow in scripts/budget.ts`)
    return key
  })
  return {
    firstRow: gzipKilobytes(manifest, withImports(manifest, [...entryKeys, firstScreen]), read),
    all: gzipKilobytes(manifest, Object.keys(manifest), read),
  }
}

if (import.meta.main) {
  const path = join(dist, '.vite', 'manifest.json')
  if (!existsSync(path)) throw new Error('The console is not built. Run npm run build first.')
  const sizes = measureScripts(JSON.parse(readFileSync(path, 'utf8')) as Manifest, file =>
    readFileSync(join(dist, file)),
  )
  const isWithinBudget = sizes.firstRow <= budget
  console.log(
    `JavaScript to the first row ${sizes.firstRow.toFixed(1)} kB gzip, ` +
      `${isWithinBudget ? 'within' : 'over'} the budget of ${budget} kB; total ${sizes.all.toFixed(1)} kB`,
  )
  if (!isWithinBudget) process.exitCode = 1
}
