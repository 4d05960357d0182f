/** Serves the built console. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** For build assets: their names contain a hash of the content. */
const immutableCaching = 'public, max-age=31536000, immutable'

/** Seconds after which a page of a console that is not built may be asked for again: building takes less. */
const unbuiltRetryAfter = '60'

const apiPaths = /^\/(api|docs|health)(\/|$)/
const isFile = (path: string) => /\.[^/]*$/.test(path)

/**
 * Serves the console's files, and its page for every other path that may be one of its routes. All other paths respond
 * with a 404 in the error format of the API.
 */
export async function addConsole(app: FastifyInstance, folder: string): Promise<void> {
  const isBuilt = existsSync(join(folder, 'index.html'))
  if (isBuilt)
    await app.register(fastifyStatic, {
      root: folder,
      preCompressed: true,
      cacheControl: false,
      setHeaders: (response, path) => {
        const hashed = path.startsWith(join(folder, 'assets'))
        response.header('cache-control', hashed ? immutableCaching : 'no-cache')
      },
    })

  app.setNotFoundHandler((request: FastifyRequest, reply: FastifyReply) => {
    const path = request.url.split('?', 1)[0]!
    const isPage = (request.method === 'GET' || request.method === 'HEAD') && !apiPaths.test(path) && !isFile(path)
    if (!isPage) {
      reply.header('cache-control', 'no-store')
      return reply.code(404).send({ message: 'Not found' })
    }
    if (isBuilt) return reply.sendFile('index.html')
    return reply
      .code(503)
      .headers({ 'retry-after': unbuiltRetryAfter, 'cache-control': 'no-store' })
      .type('text/plain; charset=utf-8')
      .send('The console is not built. Run "npm run build" and restart the server. The API reference is at /docs.\n')
  })
}
