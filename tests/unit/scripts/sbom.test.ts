/** The bill of materials has what a server runs in, on and is built with, and nothing that only tests and checks need. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { root } from '../../../scripts/programs.ts'

interface Bom {
  readonly bomFormat: string
  readonly components: readonly { readonly name: string; readonly version: string; readonly licenses?: object[] }[]
}

test('it has the packages of the server with versions and licences, and Node', () => {
  const folder = mkdtempSync(join(tmpdir(), 'permeate-sbom-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'bom.json')
  execFileSync(process.execPath, ['scripts/sbom.ts', file], { cwd: root })
  const { bomFormat, components } = JSON.parse(readFileSync(file, 'utf8')) as Bom
  expect(bomFormat).toBe('CycloneDX')
  const byName = new Map(components.map(component => [component.name, component]))
  expect(byName.get('node')?.version).toBe(process.versions.node)
  expect(byName.get('fastify')?.licenses).not.toEqual([])
  expect(byName.get('fastify')?.version).toMatch(/^\d/)
  for (const name of ['vitest', 'typescript']) expect(byName.has(name)).toBe(false)
})
