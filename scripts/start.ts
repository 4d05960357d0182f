/**
 * Builds the console if needed and starts the server: `demo` (npm start) or `production` (npm run serve).
 * The environment is set here because package scripts cannot set it in a way that works in every shell.
 */
import { enableCompileCache } from 'node:module'
import { buildIfNeeded } from './build.ts'
import { compileCache } from './programs.ts'
import { superviseSimulator } from './simulator.ts'

const mode = process.argv[2]

/** The demo's password is public, so the demo is on only where no other machine can sign in. */
const isLoopback = (host: string) => /^(localhost|::1|127\..*)$/.test(host)

if (mode === 'production') process.env.NODE_ENV = 'production'
else if (isLoopback(process.env.HOST || '127.0.0.1')) process.env.DEMO ||= 'on'

buildIfNeeded()
// Compiled modules are kept for the next start: they are most of its time.
enableCompileCache(compileCache)
await import('../server/main.ts')

// An exit code means that the server could not start; it has logged the reason.
if (mode !== 'production' && process.exitCode === undefined) {
  const simulator = superviseSimulator(process.env)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, simulator.stop)
}
