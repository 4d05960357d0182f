/** `npm run simulate`: runs virtual devices against any MQTT broker. */
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { openDeviceLog } from './deviceLog.ts'
import { readCertificates } from './files.ts'
import { OptionError, readOptions, usage } from './options.ts'
import { startSimulation, type Simulation } from './simulation.ts'

/** Milliseconds between two logs of the number of connected devices. */
const logInterval = 10_000
/** Milliseconds after which stopping is forced. */
const stopTimeout = 5000

const log = (text: string) => console.log(text)

async function start(args: readonly string[]): Promise<void> {
  const options = readOptions(args)
  if (options.ca !== undefined)
    setDefaultCACertificates([...getCACertificates('default'), await readCertificates(options.ca)])
  const deviceLog = options.log === undefined ? undefined : await openLog(options.log)
  let running: Simulation | undefined
  let lastLogged = -1
  const logConnected = (always: boolean) => {
    if (running === undefined) return
    const { devices, connected } = running.counts()
    if (connected === lastLogged || !(always || connected === devices)) return
    lastLogged = connected
    log(`${connected} of ${devices} simulated devices are connected`)
  }
  let debounceTimer: NodeJS.Timeout | undefined
  // Debounced: many devices connect at about the same time.
  const onConnected = () => {
    debounceTimer ??= setTimeout(() => {
      debounceTimer = undefined
      logConnected(false)
    }, 100)
  }
  running = await startSimulation(options, { onConnected, log, record: event => deviceLog?.record(event) })
  const logTimer = setInterval(() => logConnected(true), logInterval)

  let isStopping = false
  // npm forwards Ctrl+C to a program that the terminal has already signalled.
  const stop = () => {
    if (isStopping) return
    isStopping = true
    clearInterval(logTimer)
    clearTimeout(debounceTimer)
    setTimeout(() => process.exit(), stopTimeout).unref()
    running
      ?.stop()
      .then(() => deviceLog?.close())
      .then(() => process.exit(), fail)
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
  // Emitted when the parent process has ended.
  process.once('disconnect', stop)
}

const openLog = (path: string) =>
  openDeviceLog(path).catch((error: unknown) => {
    throw new OptionError(`Could not write the log: ${error instanceof Error ? error.message : String(error)}`)
  })

function fail(error: unknown): void {
  if (error instanceof OptionError) console.error(`${error.message}\n\n${usage}`)
  else console.error(error)
  process.exit(1)
}

start(process.argv.slice(2)).catch(fail)
