/** Checks imports against the rules in .dependency-cruiser.cjs. */
import { cruise } from './cruise.ts'
import { root } from './programs.ts'

/**
 * Returns the number of modules of a project with the same folders as this one, and the imports that violate a rule.
 */
export function checkImports(folder: string): { modules: number; violations: string[] } {
  const { summary } = cruise(folder, ['src', 'server', 'simulator', 'cli', 'scripts', 'tests'])
  return {
    modules: summary.totalCruised,
    violations: summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`),
  }
}

if (import.meta.main) {
  const { modules, violations } = checkImports(root)
  for (const violation of violations) console.error(violation)
  console.log(`${modules} modules, ${violations.length} imports that violate the rules`)
  // Without any module the check did not find the code.
  if (modules === 0 || violations.length > 0) process.exitCode = 1
}
