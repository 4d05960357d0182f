/** Runs dependency-cruiser, which knows every import of a module, also one of a type only or one made later. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { program } from './programs.ts'

export interface Cruised {
  modules: { source: string; dependencies: { resolved: string }[] }[]
  summary: {
    violations: { from: string; to: string; rule: { name: string } }[]
    totalCruised: number
  }
}

/** Returns what the cruiser found in those of `folders` that `project`, laid out like this one, has. */
export function cruise(project: string, folders: readonly string[]): Cruised {
  const present = folders.filter(name => existsSync(join(project, name)))
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [program('depcruise', 'dependency-cruiser'), '--output-type=json', ...present],
    { cwd: project, encoding: 'utf8', maxBuffer: 1 << 28 },
  )
  if (stdout === '') throw new Error(stderr)
  return JSON.parse(stdout) as Cruised
}
