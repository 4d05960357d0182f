/**
 * Starts the server on a current build of the console: `demo` (npm start) or `production` (npm run serve).
 * Setting the environment here keeps the package scripts free of any one shell's syntax.
 */
import { buildIfNeeded } from './build.ts'
import { superviseSimulator } from './simulator.ts'

const mode = process.argv[2]

/** The demo's password is published, so it is on only where no other machine can sign in. */
const isLoopback = (host: string) => /^(localhost|::1|127\..*)$/.test(host)

if (mode === 'production') process.env.NODE_ENV = 'production'
else if (isLoopback(process.env.HOST || '127.0.0.1')) process.env.DEMO ||= 'on'

buildIfNeeded()
await import('../server/main.ts')

// Where the server could not start, it has said why.
if (mode !== 'production' && process.exitCode === undefined) {
  const simulator = superviseSimulator(process.env)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, simulator.stop)
}
