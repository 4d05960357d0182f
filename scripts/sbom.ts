/**
 * Writes the bill of materials of what a server is made of and built with (CycloneDX, JSON): `npm run sbom -- [file]`, by default
 * `permeate.cdx.json`.
 */
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { root } from './programs.ts'

const file = resolve(process.argv[2] ?? 'permeate.cdx.json')
// From the lock file, so that it does not depend on the platform and on what else is installed.
const args = ['sbom', '--sbom-format=cyclonedx', '--omit=dev', '--package-lock-only']
const { status, stdout, stderr } = spawnSync('npm', args, {
  cwd: root,
  encoding: 'utf8',
  maxBuffer: 1 << 28,
  shell: process.platform === 'win32',
})
if (status !== 0) throw new Error(`npm sbom failed:\n${stderr}`)
const bom = JSON.parse(stdout) as { components: unknown[] }
writeFileSync(file, `${JSON.stringify(bom, null, 2)}\n`)
console.log(`Wrote ${bom.components.length} components to ${file}`)
