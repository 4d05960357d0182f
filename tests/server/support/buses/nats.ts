/** A NATS server for a test file. */
import { afterAll } from 'vitest'
import { launchNats, type Nats } from '../../../support/nats.ts'

/** Starts a NATS server; it is stopped after the file's last test. `options`: more arguments to nats-server. */
export async function startNats(options?: readonly string[]): Promise<Nats> {
  const nats = await launchNats(options)
  afterAll(nats.kill)
  return nats
}
