/**
 * Checks the licences of all packages in package-lock.json, also those of other platforms. With `--list` it prints them:
 * `npm run licences`.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './programs.ts'

/** SPDX names of licences under which a package may be part of a product that is not open source. */
const allowed = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'ISC',
  'MIT',
  'MIT-0',
  'OFL-1.1',
  // Public domain.
  'Unlicense',
])
/** Those under which packages may also be used that are not given to anybody: for development, and to build the console. */
const allowedForUse = new Set([...allowed, 'MPL-2.0'])
/** Packages that only build the console. */
const buildTools = /^lightningcss(-|$)/

interface LockedPackage {
  readonly version: string
  readonly license?: string
  readonly dev?: boolean
}
export interface Licensed {
  readonly name: string
  readonly version: string
  /** An SPDX expression; empty if the package names none. */
  readonly licence: string
  readonly isForDevelopment: boolean
}

/** Returns the packages of a lock file, sorted by name. */
export function packagesOf(lockFile: string): Licensed[] {
  const { packages } = JSON.parse(lockFile) as { packages: Record<string, LockedPackage> }
  return Object.entries(packages)
    .filter(([path]) => path !== '')
    .map(([path, { version, license = '', dev = false }]) => ({
      name: path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length),
      version,
      licence: license,
      isForDevelopment: dev,
    }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

/** Returns whether a package may be used; of alternatives (`OR`) one must be allowed, of several (`AND`) all. */
export function isAllowed({ name: packageName, licence, isForDevelopment }: Licensed): boolean {
  const names = isForDevelopment || buildTools.test(packageName) ? allowedForUse : allowed
  return licence
    .replaceAll(/[()]/g, '')
    .split(' OR ')
    .some(alternative => alternative.split(' AND ').every(name => names.has(name.trim())))
}

if (import.meta.main) {
  const packages = packagesOf(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  if (process.argv.includes('--list'))
    for (const { name, version, licence, isForDevelopment } of packages)
      console.log(`${name} ${version}\t${licence}${isForDevelopment ? '\tdevelopment' : ''}`)
  const refused = packages.filter(found => !isAllowed(found))
  for (const { name, version, licence } of refused)
    console.error(`${name} ${version} has the licence ${licence || '(none)'}, which scripts/licences.ts does not allow`)
  console.log(`${packages.length} packages, ${refused.length} with a licence that is not allowed`)
  // Without any package the check did not read the lock file.
  if (packages.length === 0 || refused.length > 0) process.exitCode = 1
}
