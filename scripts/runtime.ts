/**
 * Copies what a server needs to run, without build tools and the sources of the console, into an empty folder:
 * `node scripts/runtime.ts folder`. The console must be built. Of `node_modules`, only packages that are imported are
 * copied, and those that they depend on.
 */
import { cpSync, existsSync, readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { root } from './programs.ts'

/** The programs: the server, and the commands for operators. */
export const programs = [
  'server/main.ts',
  'scripts/audit.ts',
  'scripts/backup.ts',
  'scripts/device.ts',
  'scripts/restore.ts',
  'scripts/secondFactor.ts',
]
/** Files that no module imports. */
const otherFiles = ['package.json', 'dist', 'server/db/migrations']

/** Matches the module that an import or export statement, or a call of `import`, names; not those of types only. */
const imported =
  /^(?:import|export) (?!type )[^'"]*?from ['"](.+?)['"]|^import ['"](.+?)['"]|\bimport\(['"](.+?)['"]\)/gm
/** Matches the program of a child process, which is named by its address. */
const started = /\bnew URL\(['"](.+?)['"], import\.meta\.url\)/g

/**
 * Returns the modules that a program imports or starts, directly or not, and the packages that they import; sorted paths
 * and names.
 */
export function importsOf(entries: readonly string[]): { files: string[]; packages: string[] } {
  const files = new Set<string>()
  const packages = new Set<string>()
  const visit = (file: string) => {
    if (files.has(file)) return
    files.add(file)
    if (!file.endsWith('.ts')) return
    const source = readFileSync(join(root, file), 'utf8')
    const visitBeside = (name: string) => visit(relative(root, resolve(root, dirname(file), name)))
    for (const [, name] of source.matchAll(started)) visitBeside(name!)
    for (const match of source.matchAll(imported)) {
      const name = (match[1] ?? match[2] ?? match[3])!
      if (name.startsWith('.')) visitBeside(name)
      else if (!name.startsWith('node:') && !builtinModules.includes(name)) packages.add(packageOf(name))
    }
  }
  for (const entry of entries) visit(entry)
  return { files: [...files].toSorted(), packages: [...packages].toSorted() }
}

/** `@fastify/static/types` → `@fastify/static` */
const packageOf = (name: string) => name.split('/', name.startsWith('@') ? 2 : 1).join('/')

interface Installed {
  readonly dependencies?: Record<string, string>
  readonly optionalDependencies?: Record<string, string>
  readonly peerDependencies?: Record<string, string>
  readonly peerDependenciesMeta?: Record<string, { readonly optional?: boolean }>
}

/** Returns the folders of packages and of all that they depend on, relative to the project. */
export function packageFolders(names: readonly string[]): string[] {
  const folders = new Set<string>()
  const visit = (name: string, from: string, isRequired: boolean) => {
    // Types, which some packages list as if they ran.
    if (name.startsWith('@types/')) return
    const folder = find(name, from)
    if (folder === undefined) {
      if (isRequired) throw new Error(`${name}, which ${from || 'the project'} needs, is not installed`)
      return
    }
    if (folders.has(folder)) return
    folders.add(folder)
    const needs = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as Installed
    for (const dependency of Object.keys(needs.dependencies ?? {}))
      visit(dependency, folder, needs.optionalDependencies?.[dependency] === undefined)
    for (const dependency of Object.keys(needs.optionalDependencies ?? {})) visit(dependency, folder, false)
    for (const dependency of Object.keys(needs.peerDependencies ?? {}))
      if (needs.peerDependenciesMeta?.[dependency]?.optional !== true) visit(dependency, folder, true)
  }
  for (const name of names) visit(name, '', true)
  // A folder within another one is copied with it.
  return [...folders].filter(folder => ![...folders].some(other => folder.startsWith(`${other}/`))).toSorted()
}

/** Returns the folder of a package, as a module in the folder `from` finds it. */
function find(name: string, from: string): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    const candidate = join(folder === '.' ? '' : folder, 'node_modules', name)
    if (existsSync(join(root, candidate, 'package.json'))) return candidate
    if (folder === '' || folder === '.') return undefined
  }
}

/** Copies everything into a folder. */
function copyRuntime(target: string): void {
  if (!existsSync(join(root, 'dist', 'index.html'))) throw new Error('Build the console first: npm run build')
  const { files, packages } = importsOf(programs)
  for (const path of [...files, ...otherFiles, ...packageFolders(packages)])
    cpSync(join(root, path), join(target, path), {
      recursive: true,
      verbatimSymlinks: true,
      filter: source => !isDevelopmentFile(source),
    })
}

/** Matches source maps, documents, and TypeScript, which Node does not run within `node_modules`. */
const unused = /\/node_modules\/.+\.(?:map|md|markdown|[cm]?ts)$/i
/** Matches the tests of a package, which are in a folder beside its `package.json`. */
const packageTests = /\/node_modules\/(?:@[^/]+\/)?[^/@]+\/(?:tests?|benchmarks?)(?:\/|$)/

/** Returns whether a server needs no such file: a third of the size of all packages. Licences must stay. */
export const isDevelopmentFile = (path: string) =>
  !/licen[cs]e|notice|copying/i.test(basename(path)) && (unused.test(path) || packageTests.test(path))

if (import.meta.main) {
  const target = process.argv[2]
  if (target === undefined) throw new Error('Usage: node scripts/runtime.ts folder')
  copyRuntime(resolve(target))
}
