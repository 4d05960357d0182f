import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

export const root = resolve(import.meta.dirname, '..')

/** The script behind a package's command, to be run with `process.execPath`: that works alike on every system. */
export function program(name: string, packageName = name): string {
  const folder = join(root, 'node_modules', packageName)
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    bin: string | Record<string, string>
  }
  const path = typeof bin === 'string' ? bin : bin[name]
  if (path === undefined) throw new Error(`${packageName} has no command ${name}`)
  return join(folder, path)
}
