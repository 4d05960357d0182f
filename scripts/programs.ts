/** Paths of the repository and of the programs in its dependencies. */
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

export const root = resolve(import.meta.dirname, '..')

/** Where Node keeps compiled modules: compiling them takes most of the time of a start. */
export const compileCache = join(root, 'node_modules', '.cache', 'compile')

/**
 * Returns the path of the script behind a package's command. Run it with `process.execPath`, which works on every
 * operating system.
 * @throws when the package has no such command.
 */
export function program(name: string, packageName = name): string {
  const folder = join(root, 'node_modules', packageName)
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    bin: string | Record<string, string>
  }
  const path = typeof bin === 'string' ? bin : bin[name]
  if (path === undefined) throw new Error(`${packageName} has no command ${name}`)
  return join(folder, path)
}
