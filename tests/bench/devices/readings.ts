/** Readings that devices send to a server, from a process of their own. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fleetPath } from '../../../server/demo/fleetFile.ts'
import type { Load, Sent } from './publisher.ts'
import type { RealServer } from '../realServer.ts'

export interface Publisher {
  readonly process: number
  /** Sends readings at a rate for some seconds; resolves once all are acknowledged. */
  send(load: Load): Promise<Sent>
  /** Disconnects all devices. */
  stop(): Promise<void>
}

/** Connects the first `count` devices of a server's demo fleet. */
export async function connectPublisher(
  { mqttUrl, dataDir }: Pick<RealServer, 'mqttUrl' | 'dataDir'>,
  count: number,
): Promise<Publisher> {
  const publisher = fork(join(import.meta.dirname, 'publisher.ts'), [mqttUrl, fleetPath(dataDir), String(count)])
  const exited = once(publisher, 'exit')
  await Promise.race([once(publisher, 'message'), exited])
  if (publisher.exitCode !== null) throw new Error(`The devices could not connect (${publisher.exitCode})`)
  return {
    process: publisher.pid!,
    async send(load) {
      const answer = once(publisher, 'message')
      publisher.send(load)
      return ((await answer) as [Sent])[0]
    },
    async stop() {
      publisher.kill()
      await exited
    },
  }
}
