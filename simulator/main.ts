/** `npm run simulate`: virtual devices that speak the devices' own protocol to any broker. */
import { OptionError, readOptions, usage } from './options.ts'
import { startSimulation, type Simulation } from './simulation.ts'

/** Milliseconds between two looks at how many are connected. */
const tellEvery = 10_000
/** How long stopping may take before it is forced, milliseconds. */
const patience = 5000

const log = (text: string) => console.log(text)

async function start(args: readonly string[]): Promise<void> {
  const options = readOptions(args)
  let running: Simulation | undefined
  let told = -1
  const tell = (always: boolean) => {
    if (running === undefined) return
    const { devices, connected } = running.counts()
    if (connected === told || !(always || connected === devices)) return
    told = connected
    log(`${connected} of ${devices} simulated devices are connected`)
  }
  let soon: NodeJS.Timeout | undefined
  // Looked at once after many have come.
  const joined = () => {
    soon ??= setTimeout(() => {
      soon = undefined
      tell(false)
    }, 100)
  }
  running = await startSimulation(options, joined, log)
  const telling = setInterval(() => tell(true), tellEvery)

  const stop = () => {
    clearInterval(telling)
    clearTimeout(soon)
    setTimeout(() => process.exit(), patience).unref()
    running?.stop().then(() => process.exit(), fail)
  }
  process.once('SIGINT', stop)
  process.once('SIGTERM', stop)
  // Started by another program, it ends with that one, however that one ends.
  process.once('disconnect', stop)
}

function fail(error: unknown): void {
  if (error instanceof OptionError) console.error(`${error.message}\n\n${usage}`)
  else console.error(error)
  process.exit(1)
}

start(process.argv.slice(2)).catch(fail)
