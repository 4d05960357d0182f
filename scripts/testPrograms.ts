/** External programs that tests use, at the paths where scripts/setup.mjs found them. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './programs.ts'

export type TestProgram = 'browser' | 'clickhouse' | 'mosquitto' | 'nats' | 'office'

/** The result of looking for a program. */
interface Location {
  executablePath?: string
  /** How to install the program, if it is missing. */
  howToInstall?: string
}

function readLocation(name: TestProgram): Location {
  const file = join(root, 'node_modules', '.cache', `${name}.json`)
  if (!existsSync(file)) return { howToInstall: 'Run npm test, or node scripts/setup.mjs' }
  return JSON.parse(readFileSync(file, 'utf8')) as Location
}

/** Returns the path of a program, or `undefined` if it is not installed. */
export const executable = (name: TestProgram): string | undefined => readLocation(name).executablePath

/** Returns how to install a program that is missing. */
export const howToInstall = (name: TestProgram): string => readLocation(name).howToInstall ?? ''
