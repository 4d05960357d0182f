/** The simulated devices of a bench's fleet, in a process of their own. */
import { spawn, type ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { root } from '../../../scripts/programs.ts'
import { fleetPath } from '../../../server/demo/fleetFile.ts'
import { progress } from '../figures.ts'
import type { RealServer } from '../realServer.ts'

/** Starts the simulator without draws, and resolves once all devices are connected that are not offline. */
export async function startDevices({ mqttUrl, dataDir }: RealServer): Promise<ChildProcess> {
  const options = { url: mqttUrl, fleet: fleetPath(dataDir), interval: '60s', draws: 'off', connects: '400' }
  const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value])
  const simulator = spawn(process.execPath, [join(root, 'simulator', 'main.ts'), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  for await (const line of createInterface({ input: simulator.stdout! })) {
    const [, connected, all] = /^(\d+) of (\d+) /.exec(line) ?? []
    progress(line)
    if (connected !== undefined && connected === all) break
  }
  simulator.stdout!.resume()
  return simulator
}
