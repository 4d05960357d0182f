import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkImports } from '../../../scripts/importRules.ts'
import { root } from '../../../scripts/programs.ts'

const planted: Record<string, string> = {
  'src/domain/planted.ts': `import { value } from '../store/planted.ts'\nexport const again = value\n`,
  'src/store/planted.ts': `import { devices } from '../api/contract/devices.ts'\nexport const value = devices\n`,
  'src/store/typed.ts': `import type { Columns } from '../api/contract/endpoint.ts'\nexport const none: Columns | undefined = undefined\n`,
  'src/store/drawn.ts': `import { Bar } from '../ui/planted.tsx'\nexport const drawn = Bar\n`,
  'src/ui/planted.tsx': `import type { Role } from '../domain/roles.ts'\nexport const role: Role = 'admin'\nexport const Bar = 1\n`,
  'src/shell/planted.ts': `import wretch from 'wretch'\nexport const get = wretch\n`,
  'src/commands/core/planted.ts': `import { flush } from '../planted/commands.ts'\nexport const first = flush\n`,
  'src/commands/planted/commands.ts': `import { Bar } from '../../ui/planted.tsx'\nexport const flush = Bar\n`,
  'src/commands/planted/other.ts': `import { draw } from '../surfaces/planted.ts'\nexport const other = draw\n`,
  'src/commands/planted/shown.ts': `import toast from 'react-hot-toast/headless'\nexport const shown = toast\n`,
  'src/commands/surfaces/planted.ts': `export const draw = 1\n`,
  'src/screens/one/planted.ts': `import { two } from '../two/planted.ts'\nexport const one = two\n`,
  'src/screens/two/planted.ts': `import { one } from '../one/planted.ts'\nexport const two = one\n`,
  'src/screens/two/index.ts': `export const three = 3\n`,
  'src/screens/two/user.ts': `import { three } from './index.ts'\nexport const four = three + 1\n`,
  'src/commands/first/planted.ts': `import { c } from '../second/planted.ts'\nexport const a = c\n`,
  'src/commands/first/other.ts': `export const e = 1\n`,
  'src/commands/second/planted.ts': `import { d } from '../third/planted.ts'\nexport const c = d\n`,
  'src/commands/third/planted.ts': `import { e } from '../first/other.ts'\nexport const d = e\n`,
  'cli/planted.ts': `import { same } from '../server/planted.ts'\nexport const typed = same\n`,
  'server/planted.ts': `import { role } from '../src/ui/planted.tsx'\nexport const same = role\n`,
  'server/demo/planted.ts': `import { one } from '../../simulator/planted.ts'\nexport const demo = one\n`,
  'simulator/planted.ts': `import { same } from '../server/planted.ts'\nexport const one = same\n`,
  'src/xls/planted.ts': `import { value } from '../store/planted.ts'\nexport const cells = value\n`,
  'src/api/planted.ts': `import { Bar } from '../ui/planted.tsx'\nexport const called = Bar\n`,
  'src/commands/surfaces/shown.ts': `import { one } from '../../screens/one/planted.ts'\nexport const shown = one\n`,
  'src/screens/one/shell.ts': `import { get } from '../../shell/planted.ts'\nexport const got = get\n`,
  'src/shell/served.ts': `import { same } from '../../server/planted.ts'\nexport const served = same\n`,
  'src/domain/lonely.ts': `export const lonely = 1\n`,
  'src/domain/missing.ts': `import { none } from './nowhere.ts'\nexport const missing = none\n`,
}

describe('the import rules', () => {
  const copy = mkdtempSync(join(tmpdir(), 'permeate-imports-'))
  let found: ReturnType<typeof checkImports>

  beforeAll(() => {
    for (const name of ['.dependency-cruiser.cjs', 'package.json', 'src/domain', 'src/api']) {
      cpSync(join(root, name), join(copy, name), { recursive: true })
    }
    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'), 'junction')
    for (const [name, text] of Object.entries(planted)) {
      mkdirSync(dirname(join(copy, name)), { recursive: true })
      writeFileSync(join(copy, name), text)
    }
    found = checkImports(copy)
  }, 60_000)
  afterAll(() => rmSync(copy, { recursive: true, force: true }))

  it('are checked on TypeScript modules', () => {
    expect(found.modules).toBeGreaterThan(Object.keys(planted).length)
  })

  it.each([
    'domain-imports: src/domain/planted.ts → src/store/planted.ts',
    'store-imports-only-types-of-the-contract: src/store/planted.ts → src/api/contract/devices.ts',
    'ui-imports: src/ui/planted.tsx → src/domain/roles.ts',
    'commands-imports: src/commands/planted/commands.ts → src/ui/planted.tsx',
    'commands-import-no-surface: src/commands/planted/other.ts → src/commands/surfaces/planted.ts',
    'command-core-is-independent: src/commands/core/planted.ts → src/commands/planted/commands.ts',
    'screens-are-independent: src/screens/one/planted.ts → src/screens/two/planted.ts',
    'no-cycles: src/screens/one/planted.ts → src/screens/two/planted.ts',
    'no-folder-cycles: src/commands/first → src/commands/second',
    'no-barrels: src/screens/two/user.ts → src/screens/two/index.ts',
    'server-imports: server/planted.ts → src/ui/planted.tsx',
    'cli-imports: cli/planted.ts → server/planted.ts',
    'demo-imports: server/demo/planted.ts → simulator/planted.ts',
    'simulator-imports: simulator/planted.ts → server/planted.ts',
    'console-imports: src/shell/served.ts → server/planted.ts',
    'shell-imports: src/shell/served.ts → server/planted.ts',
    'xls-imports: src/xls/planted.ts → src/store/planted.ts',
    'api-imports: src/api/planted.ts → src/ui/planted.tsx',
    'store-imports: src/store/drawn.ts → src/ui/planted.tsx',
    'commands-surfaces-imports: src/commands/surfaces/shown.ts → src/screens/one/planted.ts',
    'screens-imports: src/screens/one/shell.ts → src/shell/planted.ts',
  ])('report %s', violation => {
    expect(found.violations).toContain(violation)
  })

  it.each([
    'fetch-only-in-api: src/shell/planted.ts',
    'commands-use-no-react: src/commands/planted/shown.ts',
    'no-orphans: src/domain/lonely.ts',
    'resolvable: src/domain/missing.ts',
  ])('report %s', violation => {
    expect(found.violations.some(text => text.startsWith(violation))).toBe(true)
  })

  it('allow a type of the contract in the store', () => {
    expect(found.violations.filter(text => text.includes('src/store/typed.ts'))).toEqual([])
  })
})
