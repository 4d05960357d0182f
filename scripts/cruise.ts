/** Runs dependency-cruiser, which finds all imports, including type-only and dynamic ones. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { program } from './programs.ts'

/** The part of dependency-cruiser's output that is used. */
export interface CruiseResult {
  modules: { source: string; dependencies: { resolved: string }[] }[]
  summary: {
    violations: { from: string; to: string; rule: { name: string } }[]
    totalCruised: number
  }
}

/** Returns the modules and violations in the folders of a project; folders that it does not have are skipped. */
export function cruise(project: string, folders: readonly string[]): CruiseResult {
  const present = folders.filter(name => existsSync(join(project, name)))
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [program('depcruise', 'dependency-cruiser'), '--output-type=json', ...present],
    { cwd: project, encoding: 'utf8', maxBuffer: 1 << 28 },
  )
  if (stdout === '') throw new Error(stderr)
  return JSON.parse(stdout) as CruiseResult
}
