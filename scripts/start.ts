/**
 * Starts the server on a current build of the console: `demo` (npm start) or `production` (npm run serve).
 * Setting the environment here keeps the package scripts free of any one shell's syntax.
 */
import { buildIfNeeded } from './build.ts'

const mode = process.argv[2]
if (mode === 'production') process.env.NODE_ENV = 'production'
else process.env.DEMO ??= 'on'

buildIfNeeded()
await import('../server/main.ts')
