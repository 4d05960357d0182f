import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildIfNeeded } from '../../../scripts/build.ts'
import { freePort, startServer } from '../../support/programs.ts'

/** Seeds the demo fleet once; every worker starts from a copy of it. */
export default async function globalSetup() {
  buildIfNeeded()
  const template = await mkdtemp(join(tmpdir(), 'permeate-e2e-template-'))
  const remove = () => rm(template, { recursive: true, force: true })
  try {
    const server = await startServer(template, await freePort(), { devices: 0 })
    await server.stop()
  } catch (error) {
    await remove()
    throw error
  }
  process.env.E2E_TEMPLATE = template
  return remove
}
