/** Checks the one-way imports of .dependency-cruiser.cjs. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { program, root } from './programs.ts'

interface Report {
  summary: {
    violations: { from: string; to: string; rule: { name: string } }[]
    totalCruised: number
  }
}

const folders = ['src', 'server', 'simulator', 'scripts', 'tests']

/** Reads all modules in `folder`, laid out like this project, and says what breaks which rule. */
export function checkImports(folder: string): { modules: number; violations: string[] } {
  const present = folders.filter(name => existsSync(join(folder, name)))
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [program('depcruise', 'dependency-cruiser'), '--output-type=json', ...present],
    { cwd: folder, encoding: 'utf8', maxBuffer: 1 << 28 },
  )
  if (stdout === '') throw new Error(stderr)
  const { summary } = JSON.parse(stdout) as Report
  return {
    modules: summary.totalCruised,
    violations: summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`),
  }
}

if (import.meta.main) {
  const { modules, violations } = checkImports(root)
  for (const violation of violations) console.error(violation)
  console.log(`${modules} modules, ${violations.length} imports against the rules`)
  // Reading nothing breaks no rule either.
  if (modules === 0 || violations.length > 0) process.exitCode = 1
}
