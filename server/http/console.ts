/** Serves the built console. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** The files of the build carry a hash of their content in their names, so a name's content never changes. */
const immutableCaching = 'public, max-age=31536000, immutable'

const apiPaths = /^\/(api|docs|health)(\/|$)/
const isFile = (path: string) => /\.[^/]*$/.test(path)

/**
 * Serves the console's files, and its page for every path that is one of the console's routes.
 * Whatever else is not found is a 404 in the shape of all failures.
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
      .type('text/plain; charset=utf-8')
      .send('The console is not built yet. Build it with "npm run build", then start again. The API is at /docs.\n')
  })
}
