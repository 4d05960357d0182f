/** The programs beside this project that tests use, as scripts/setup.mjs found them. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './programs.ts'

export type TestProgram = 'browser' | 'mosquitto' | 'office'

interface Found {
  executablePath?: string
  /** How to get it, where there is none. */
  missing?: string
}

function found(name: TestProgram): Found {
  const file = join(root, 'node_modules', '.cache', `${name}.json`)
  if (!existsSync(file)) return { missing: 'Run npm test, or node scripts/setup.mjs' }
  return JSON.parse(readFileSync(file, 'utf8')) as Found
}

/** Returns the path of a program, or undefined where the machine has none. */
export const executable = (name: TestProgram): string | undefined => found(name).executablePath

/** Returns how to get a program that the machine does not have. */
export const howToGet = (name: TestProgram): string => found(name).missing ?? ''
