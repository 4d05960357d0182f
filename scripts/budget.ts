/** What the console ships: JavaScript in kB of gzip until the first row of devices shows, and altogether. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { dist } from './build.ts'

const budget = 170
/** The chunks that stand between the address and the first row, by their names. */
const neededForFirstRow = ['index', 'app']
/** Were it loaded lazily, it would stand between them none the less. */
const firstScreen = 'src/screens/devices/DevicesScreen.tsx'

interface Chunk {
  file: string
  name?: string
  imports?: string[]
}
type Manifest = Record<string, Chunk>

/** The chunks with these keys and all that they import before they can run. */
function withImports(manifest: Manifest, keys: string[], found = new Set<string>()): Set<string> {
  for (const key of keys) {
    if (found.has(key)) continue
    found.add(key)
    withImports(manifest, manifest[key]?.imports ?? [], found)
  }
  return found
}

function gzipKilobytes(manifest: Manifest, keys: Iterable<string>, read: (file: string) => Buffer): number {
  const files = new Set([...keys].flatMap(key => manifest[key]?.file ?? []).filter(file => file.endsWith('.js')))
  return [...files].reduce((sum, file) => sum + gzipSync(read(file), { level: 9 }).length, 0) / 1000
}

export interface Weight {
  firstRow: number
  all: number
}

export function weigh(manifest: Manifest, read: (file: string) => Buffer): Weight {
  const needed = neededForFirstRow.map(name => {
    // A chunk of another name would otherwise drop out of the sum unnoticed.
    const key = Object.keys(manifest).find(each => manifest[each]!.name === name)
    if (key === undefined) throw new Error(`There is no chunk ${name}: put what took its place into scripts/budget.ts`)
    return key
  })
  return {
    firstRow: gzipKilobytes(manifest, withImports(manifest, [...needed, firstScreen]), read),
    all: gzipKilobytes(manifest, Object.keys(manifest), read),
  }
}

if (import.meta.main) {
  const path = join(dist, '.vite', 'manifest.json')
  if (!existsSync(path)) throw new Error('Nothing is built: npm run build')
  const weight = weigh(JSON.parse(readFileSync(path, 'utf8')) as Manifest, file => readFileSync(join(dist, file)))
  const within = weight.firstRow <= budget
  console.log(
    `JavaScript to the first row ${weight.firstRow.toFixed(1)} kB gzip, ` +
      `${within ? 'within' : 'over'} the budget of ${budget} kB; all of it ${weight.all.toFixed(1)} kB`,
  )
  if (!within) process.exitCode = 1
}
