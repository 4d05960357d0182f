/**
 * Measures the console's JavaScript in kB gzip: the chunks that load before the first row of devices shows, those that a
 * reload needs for it, and all chunks. Fails if one of the first two exceeds its budget.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { dist } from './build.ts'

/** Maximum kB gzip to the first row, and to that of a reload, which reads its state from the address first. */
const budgets = { firstRow: 130, reload: 136 }
/** Names of the entry chunks that load before the first row shows. */
const neededForFirstRow = ['index', 'app']
/** Name of the chunk that reads the address. */
const neededForReload = 'address'
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
  reload: number
  all: number
}

/**
 * Measures a Vite manifest; `read` returns the content of a built file.
 * @throws when an entry chunk was renamed.
 */
export function measureScripts(manifest: Manifest, read: (file: string) => Buffer): ScriptSizes {
  const keyOf = (name: string): string => {
    // Otherwise a renamed chunk would silently be missing from the sum.
    const key = Object.keys(manifest).find(chunk => manifest[chunk]!.name === name)
    if (key === undefined) throw new Error(`There is no chunk named ${name}: update its name in scripts/budget.ts`)
    return key
  }
  const firstRow = [...neededForFirstRow.map(keyOf), firstScreen]
  return {
    firstRow: gzipKilobytes(manifest, withImports(manifest, firstRow), read),
    reload: gzipKilobytes(manifest, withImports(manifest, [...firstRow, keyOf(neededForReload)]), read),
    all: gzipKilobytes(manifest, Object.keys(manifest), read),
  }
}

if (import.meta.main) {
  const path = join(dist, '.vite', 'manifest.json')
  if (!existsSync(path)) throw new Error('The console is not built. Run npm run build first.')
  const sizes = measureScripts(JSON.parse(readFileSync(path, 'utf8')) as Manifest, file =>
    readFileSync(join(dist, file)),
  )
  for (const [name, purpose] of [
    ['firstRow', 'to the first row'],
    ['reload', 'to the first row of a reload'],
  ] as const) {
    const isWithinBudget = sizes[name] <= budgets[name]
    console.log(
      `JavaScript ${purpose} ${sizes[name].toFixed(1)} kB gzip, ` +
        `${isWithinBudget ? 'within' : 'over'} the budget of ${budgets[name]} kB`,
    )
    if (!isWithinBudget) process.exitCode = 1
  }
  console.log(`JavaScript in all ${sizes.all.toFixed(1)} kB gzip`)
}
