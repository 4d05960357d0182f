/** Builds the page of the floor and serves it: the control of what the console is measured against. */
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, readdirSync } from 'node:fs'
import { createServer } from 'node:http'
import { extname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { program } from '../../../scripts/programs.ts'
import { freePort } from '../../support/ports.ts'
import { floorDist } from './vite.config.ts'

export interface Floor {
  readonly url: string
  /** The folder of its build. */
  readonly dist: string
  close(): Promise<void>
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
}

/** Builds the page as the console is built, and serves it compressed, with a cache for its assets, on a free port. */
export async function serveFloor(): Promise<Floor> {
  // In a process of its own, because Vite sets NODE_ENV, which the servers of the bench would inherit.
  const { status } = spawnSync(process.execPath, [program('vite'), 'build', '--logLevel', 'warn'], {
    cwd: import.meta.dirname,
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (status !== 0) throw new Error('The build of the floor failed.')
  const dist = floorDist
  const files = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter(name => types[extname(name)])
  const compressed = new Map(
    files.map(name => [`/${name.replaceAll('\\', '/')}`, gzipSync(readFileSync(join(dist, name)), { level: 9 })]),
  )
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    const name = compressed.has(pathname) ? pathname : '/index.html'
    const isPage = name === '/index.html'
    response.writeHead(200, {
      'content-type': types[extname(name)],
      'content-encoding': 'gzip',
      'cache-control': isPage ? 'no-cache' : 'public, max-age=31536000, immutable',
    })
    response.end(compressed.get(name))
  })
  const port = await freePort()
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${port}`,
    dist,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
