/** Measures how the code is laid out: its longest folder, its largest file, and folders that need each other. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { cruise } from './cruise.ts'
import { root } from './programs.ts'

export const maxFilesInFolder = 25
const folders = ['src', 'server', 'simulator']

interface Measured<Name extends string> {
  name: string
  count: number
  unit: Name
}

export interface Structure {
  modules: number
  longestFolder: Measured<'files'>
  largestFile: Measured<'lines'>
  /** Pairs of folders of which each imports from the other, with one import in each direction. */
  mutualPairs: string[]
}

/** Returns the measures of `project`, which is laid out like this one. */
export function measureStructure(project: string): Structure {
  const { modules } = cruise(project, folders)
  const sources = new Set(modules.map(({ source }) => source))
  return {
    modules: modules.length,
    longestFolder: longestFolder(project),
    largestFile: largestFile(project, [...sources].filter(isOurs)),
    mutualPairs: mutualPairs(
      modules.flatMap(({ source, dependencies }) =>
        dependencies.map(({ resolved }) => ({ from: source, to: resolved })).filter(({ to }) => isOurs(to)),
      ),
    ),
  }
}

const isOurs = (path: string) => folders.includes(path.split('/')[0]!) && /[.]tsx?$/.test(path)

const folderOf = (path: string) => path.slice(0, path.lastIndexOf('/'))

const most = <Name extends string>(all: Measured<Name>[], unit: Name) =>
  all.reduce((one, other) => (other.count > one.count ? other : one), { name: 'none', count: 0, unit })

function longestFolder(project: string): Measured<'files'> {
  const counted = (folder: string): Measured<'files'>[] => {
    const entries = readdirSync(join(project, folder), { withFileTypes: true })
    const count = entries.filter(entry => entry.isFile()).length
    const inner = entries.filter(entry => entry.isDirectory()).flatMap(({ name }) => counted(`${folder}/${name}`))
    return [{ name: folder, count, unit: 'files' }, ...inner]
  }
  const present = readdirSync(project).filter(name => folders.includes(name))
  return most(present.flatMap(counted), 'files')
}

function largestFile(project: string, files: readonly string[]): Measured<'lines'> {
  const lines = (file: string) => readFileSync(join(project, file), 'utf8').trimEnd().split('\n').length
  return most(
    files.map(name => ({ name, count: lines(name), unit: 'lines' })),
    'lines',
  )
}

function mutualPairs(imports: readonly { from: string; to: string }[]): string[] {
  const between = new Map<string, string>()
  for (const { from, to } of imports) {
    const [one, other] = [folderOf(from), folderOf(to)]
    if (one !== other) between.set(`${one} ${other}`, `${from} → ${to}`)
  }
  return [...between].flatMap(([pair, example]) => {
    const [one = '', other = ''] = pair.split(' ')
    const back = between.get(`${other} ${one}`)
    return one < other && back !== undefined ? [`${one} ↔ ${other} (${example}, ${back})`] : []
  })
}

if (import.meta.main) {
  const { modules, longestFolder: longest, largestFile: largest, mutualPairs: pairs } = measureStructure(root)
  console.log(`Longest folder: ${longest.name}, ${longest.count} files (at most ${maxFilesInFolder})`)
  console.log(`Largest file: ${largest.name}, ${largest.count} lines`)
  console.log(`Folders that need each other: ${pairs.length} pairs`)
  for (const pair of pairs) console.error(pair)
  // Reading nothing finds nothing either.
  if (modules === 0 || pairs.length > 0 || longest.count > maxFilesInFolder) process.exitCode = 1
}
