/** `npm run simulate`: virtual devices that speak the devices' own protocol to any broker. */
import { OptionError, readOptions, usage } from './options.ts'
import { startSimulation, type Simulation } from './simulation.ts'

/** Milliseconds between two looks at how many are connected. */
const logInterval = 10_000
/** How long stopping may take before it is forced, milliseconds. */
const stopTimeout = 5000

const log = (text: string) => console.log(text)

async function start(args: readonly string[]): Promise<void> {
  const options = readOptions(args)
  let running: Simulation | undefined
  let logged = -1
  const logConnected = (always: boolean) => {
    if (running === undefined) return
    const { devices, connected } = running.counts()
    if (connected === logged || !(always || connected === devices)) return
    logged = connected
    log(`${connected} of ${devices} simulated devices are connected`)
  }
  let logSoon: NodeJS.Timeout | undefined
  // Looked at once after many have come.
  const onConnected = () => {
    logSoon ??= setTimeout(() => {
      logSoon = undefined
      logConnected(false)
    }, 100)
  }
  running = await startSimulation(options, onConnected, log)
  const logTimer = setInterval(() => logConnected(true), logInterval)

  const stop = () => {
    clearInterval(logTimer)
    clearTimeout(logSoon)
    setTimeout(() => process.exit(), stopTimeout).unref()
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
