/** The simulated devices of a bench's fleet, in a process of their own. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { root } from '../../../scripts/programs.ts'
import { fleetPath } from '../../../server/demo/fleetFile.ts'
import { progress } from '../figures.ts'
import type { RealServer } from '../realServer.ts'

/**
 * Starts the simulator without draws, and resolves once all devices are connected that are not offline, or a smaller share of
 * them. `more`: options in addition to these or instead of them.
 */
export async function startDevices(
  { mqttUrl, dataDir }: Pick<RealServer, 'mqttUrl' | 'dataDir'>,
  more: Readonly<Record<string, string>> = {},
  share = 1,
): Promise<ChildProcess> {
  const usual = { url: mqttUrl, fleet: fleetPath(dataDir), interval: '60s', draws: 'off', connects: '400' }
  const options = { ...usual, ...more }
  const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value])
  const simulator = spawn(process.execPath, [join(root, 'simulator', 'main.ts'), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  for await (const line of createInterface({ input: simulator.stdout! })) {
    const [, connected, all] = /^(\d+) of (\d+) /.exec(line) ?? []
    progress(line)
    if (Number(connected) >= Number(all) * share) break
  }
  simulator.stdout!.resume()
  return simulator
}

/** Stops the simulator, and resolves once its log is written. */
export async function stopDevices(simulator: ChildProcess): Promise<void> {
  if (simulator.exitCode === null && simulator.kill()) await once(simulator, 'exit')
}
