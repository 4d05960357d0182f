import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { maxFilesInFolder, measureStructure, type Structure } from '../../../scripts/structure.ts'
import { root } from '../../../scripts/programs.ts'

const fileCount = maxFilesInFolder + 1

const planted: Record<string, string> = {
  'src/ui/button.ts': `import type { Name } from '../store/names.ts'\nexport const name: Name = 'one'\n`,
  'src/store/names.ts': `export type Name = string\nexport const later = () => import('../ui/panel.ts')\n`,
  'src/ui/panel.ts': `import { below } from './parts/below.ts'\n${'\n'.repeat(40)}export const panel = below\n`,
  'src/ui/theme.css': `a {}\n`.repeat(50),
  'src/ui/parts/below.ts': `export const below = 1\n`,
  'server/one.ts': `import { two } from './two.ts'\nexport const one = two\n`,
  'server/two.ts': `export const two = 2\n`,
  ...Object.fromEntries(
    Array.from({ length: fileCount }, (_, at) => [`server/many/file${at}.ts`, `export const at = ${at}\n`]),
  ),
}

describe('the structure of a project', () => {
  const copy = mkdtempSync(join(tmpdir(), 'permeate-structure-'))
  let found: Structure

  beforeAll(() => {
    for (const name of ['.dependency-cruiser.cjs', 'package.json']) cpSync(join(root, name), join(copy, name))
    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'), 'junction')
    for (const [name, text] of Object.entries(planted)) {
      mkdirSync(dirname(join(copy, name)), { recursive: true })
      writeFileSync(join(copy, name), text)
    }
    found = measureStructure(copy)
  }, 60_000)
  afterAll(() => rmSync(copy, { recursive: true, force: true }))

  it('reports two folders that import each other, also by types and dynamic imports, and no others', () => {
    expect(found.mutualPairs).toEqual([
      'src/store ↔ src/ui (src/store/names.ts → src/ui/panel.ts, src/ui/button.ts → src/store/names.ts)',
    ])
  })

  it('reports the folder with the most files', () => {
    expect(found.longestFolder).toMatchObject({ name: 'server/many', count: fileCount })
  })

  it('reports the largest file, also of CSS', () => {
    expect(found.largestFile).toMatchObject({ name: 'src/ui/theme.css', count: 50 })
  })
})
