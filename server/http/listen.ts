/** Listens for HTTP. */
import type { FastifyInstance } from 'fastify'
import type { Config } from '../core/config.ts'
import { portError } from '../core/portError.ts'

/** Listens at HOST and PORT. @throws ConfigError that says why that is not possible */
export async function listen(app: Pick<FastifyInstance, 'listen'>, { host, port }: Pick<Config, 'host' | 'port'>) {
  try {
    await app.listen({ host, port })
  } catch (error) {
    throw portError(error, { port: 'PORT', host: 'HOST' })
  }
}
