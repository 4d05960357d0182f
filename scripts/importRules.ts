/** Checks the one-way imports of .dependency-cruiser.cjs. */
import { cruise } from './cruise.ts'
import { root } from './programs.ts'

/** Returns how many modules `folder`, laid out like this project, has, and which imports break which rule. */
export function checkImports(folder: string): { modules: number; violations: string[] } {
  const { summary } = cruise(folder, ['src', 'server', 'simulator', 'scripts', 'tests'])
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
