/**
 * Measures the layout of the code: the folder with the most files, the longest file, and folders that import each other.
 * Fails for a folder with too many files and for mutual imports.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { cruise } from './cruise.ts'
import { root } from './programs.ts'

export const maxFilesInFolder = 25
const folders = ['src', 'server', 'simulator', 'cli']

/** The size of a folder or file. */
interface Measure<Name extends string> {
  name: string
  count: number
  unit: Name
}

export interface Structure {
  modules: number
  longestFolder: Measure<'files'>
  largestFile: Measure<'lines'>
  /** Pairs of folders that import from each other, with one import in each direction. */
  mutualPairs: string[]
}

/** Returns the measures of a project with the same folders as this one. */
export function measureStructure(project: string): Structure {
  const { modules } = cruise(project, folders)
  return {
    modules: modules.length,
    longestFolder: longestFolder(project),
    largestFile: largestFile(project),
    mutualPairs: mutualPairs(
      modules.flatMap(({ source, dependencies }) =>
        dependencies.map(({ resolved }) => ({ from: source, to: resolved })).filter(({ to }) => isSourceFile(to)),
      ),
    ),
  }
}

const isSourceFile = (path: string) => folders.includes(path.split('/')[0]!) && /[.]tsx?$/.test(path)

const presentFolders = (project: string) => readdirSync(project).filter(name => folders.includes(name))

const folderOf = (path: string) => path.slice(0, path.lastIndexOf('/'))

/** Returns the measure with the largest count; a measure with count 0 if the list is empty. */
const largest = <Name extends string>(all: Measure<Name>[], unit: Name) =>
  all.reduce((max, measure) => (measure.count > max.count ? measure : max), { name: 'none', count: 0, unit })

function longestFolder(project: string): Measure<'files'> {
  const measure = (folder: string): Measure<'files'>[] => {
    const entries = readdirSync(join(project, folder), { withFileTypes: true })
    const count = entries.filter(entry => entry.isFile()).length
    const inner = entries.filter(entry => entry.isDirectory()).flatMap(({ name }) => measure(`${folder}/${name}`))
    return [{ name: folder, count, unit: 'files' }, ...inner]
  }
  return largest(presentFolders(project).flatMap(measure), 'files')
}

/** Returns the TypeScript or CSS file with the most lines. */
function largestFile(project: string): Measure<'lines'> {
  const lines = (file: string) => readFileSync(join(project, file), 'utf8').trimEnd().split('\n').length
  const files = presentFolders(project).flatMap(folder =>
    readdirSync(join(project, folder), { recursive: true, encoding: 'utf8' })
      .filter(name => /[.](tsx?|css)$/.test(name))
      .map(name => `${folder}/${name.replaceAll(sep, '/')}`),
  )
  return largest(
    files.map(name => ({ name, count: lines(name), unit: 'lines' })),
    'lines',
  )
}

/** Returns the pairs of folders that import from each other. */
function mutualPairs(imports: readonly { from: string; to: string }[]): string[] {
  const imported = new Map<string, string>()
  for (const { from, to } of imports) {
    const [importer, target] = [folderOf(from), folderOf(to)]
    if (importer !== target) imported.set(`${importer} ${target}`, `${from} → ${to}`)
  }
  return [...imported].flatMap(([pair, example]) => {
    const [first = '', second = ''] = pair.split(' ')
    const reverse = imported.get(`${second} ${first}`)
    return first < second && reverse !== undefined ? [`${first} ↔ ${second} (${example}, ${reverse})`] : []
  })
}

if (import.meta.main) {
  const { modules, longestFolder: folder, largestFile: file, mutualPairs: pairs } = measureStructure(root)
  console.log(`Longest folder: ${folder.name}, ${folder.count} files (at most ${maxFilesInFolder})`)
  console.log(`Largest file: ${file.name}, ${file.count} lines`)
  console.log(`Folders that import each other: ${pairs.length} pairs`)
  for (const pair of pairs) console.error(pair)
  // Without any module the check did not find the code.
  if (modules === 0 || pairs.length > 0 || folder.count > maxFilesInFolder) process.exitCode = 1
}
