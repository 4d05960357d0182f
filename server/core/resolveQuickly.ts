/**
 * Halves the time in which the server loads its modules. Node parses the `package.json` of drizzle-orm, 179 kB, for each
 * import of the package and for each of its hundred files that are loaded. drizzle-orm 1.0 has a small one. Imports of the
 * program's own files need no search either: they name the file.
 */
import { registerHooks, type ResolveFnOutput } from 'node:module'

const folder = '/node_modules/drizzle-orm/'
/** Where the package's entries are, by what imports name; there is one copy of the package. */
const entries = new Map<string, ResolveFnOutput>()

/** Returns the format of a relative import that has the name of a file, if it is of the program or of drizzle-orm. */
function formatOf(specifier: string, parent: string): 'module' | 'module-typescript' | undefined {
  if (!/^\.\.?\//.test(specifier)) return undefined
  if (specifier.endsWith('.ts') && parent.endsWith('.ts')) return 'module-typescript'
  return specifier.endsWith('.js') && parent.endsWith('.js') && parent.includes(folder) ? 'module' : undefined
}

registerHooks({
  resolve(specifier, context, next) {
    const { parentURL = '' } = context
    const format = formatOf(specifier, parentURL)
    if (format !== undefined) return { url: new URL(specifier, parentURL).href, format, shortCircuit: true }
    if (!/^drizzle-orm(\/|$)/.test(specifier)) return next(specifier, context)
    const entry = entries.get(specifier) ?? next(specifier, context)
    entries.set(specifier, entry)
    return { ...entry, shortCircuit: true }
  },
})
