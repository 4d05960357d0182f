/** Starts the server, and stops it cleanly. */
import { buildApp } from './app.ts'
import { ConfigError, readConfig, urlHost, type Config } from './config.ts'
import { DatabaseError } from './db/databaseError.ts'
import { open } from './db/database.ts'
import { demoLogins, refuseDemoAccounts } from './demo/accounts.ts'
import { demoPassword } from './demo/catalogue.ts'
import { seedDemo } from './demo/seed.ts'
import { simulatedFleet } from './devices/simulatedFleet.ts'
import { handlers } from './resources/handlers.ts'
import { ensureSuperadmin } from './superadmin.ts'

const now = () => new Date()

async function start(config: Config): Promise<void> {
  const { db, close } = await open(config)
  try {
    if (config.demo) await seedDemo(db, { fleet: config.fleet })
    else {
      await refuseDemoAccounts(db)
      await ensureSuperadmin(db, config, now())
    }
    const link = simulatedFleet(db)
    const app = await buildApp({ services: { db, config, link, now }, handlers })
    await app.listen({ port: config.port, host: config.host })
    let stopping = false
    const stop = async () => {
      if (stopping) return
      stopping = true
      await app.close()
      await link.close()
      await close()
    }
    for (const signal of ['SIGINT', 'SIGTERM'] as const)
      process.on(signal, () => {
        stop().catch(fail)
      })
    announce(config)
  } catch (error) {
    await close()
    throw error
  }
}

function announce(config: Config): void {
  console.log(`Permeate is on http://${urlHost(config.host)}:${config.port}`)
  if (config.demo) console.log(`Sign in as ${demoLogins.join(', ')}, password ${demoPassword}`)
}

/** What a person can put right is said plainly; anything else with all that is known of it. */
function fail(error: unknown): void {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (error instanceof ConfigError || error instanceof DatabaseError) console.error(error.message)
  else if (code === 'EADDRINUSE') console.error('The port is in use. Stop what uses it, or set PORT to another.')
  else if (code === 'EACCES') console.error('The port may not be used by this user. Set PORT to 1024 or above.')
  else console.error(error)
  process.exitCode = 1
}

try {
  await start(readConfig(process.env))
} catch (error) {
  fail(error)
}
