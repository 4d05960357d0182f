import { readdir, readFile, writeFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { dist, hashSources, stamp } from './scripts/build.ts'

const compressible = new Set(['.js', '.css', '.html', '.svg'])

/** Compresses once at build time what the server would otherwise compress at every request. */
function precompress(): Plugin {
  return {
    name: 'permeate:precompress',
    apply: 'build',
    async closeBundle() {
      const files = await readdir(dist, { recursive: true })
      await Promise.all(
        files
          .filter(name => compressible.has(extname(name)))
          .map(async name => {
            const path = join(dist, name)
            const content = await readFile(path)
            await writeFile(`${path}.br`, await promisify(brotliCompress)(content))
            await writeFile(`${path}.gz`, await promisify(gzip)(content, { level: 9 }))
          }),
      )
    },
  }
}

/** Notes which sources a build was made from, so that the next start can tell whether it is still current. */
function stampSources(): Plugin {
  let sources = ''
  return {
    name: 'permeate:stamp-sources',
    apply: 'build',
    buildStart() {
      sources = hashSources()
    },
    async closeBundle(error) {
      if (!error) await writeFile(stamp, sources)
    },
  }
}

/**
 * Names the console's own chunk in the page, so that it is fetched beside the small one that asks for the first rows
 * and then imports it.
 */
function preloadApp(): Plugin {
  return {
    name: 'permeate:preload-app',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(_, { bundle = {} }) {
        const chunks = Object.values(bundle).filter(file => file.type === 'chunk')
        const app = chunks.find(chunk => chunk.name === 'app')
        // What it imports is named already.
        return app && [{ tag: 'link', attrs: { rel: 'modulepreload', crossorigin: true, href: `/${app.fileName}` } }]
      },
    },
  }
}

interface Graph {
  getModuleInfo(id: string): { readonly importedIds: readonly string[] } | null
}

/**
 * One chunk for a module and all that it imports before it can run, in place of one for every set of screens that share
 * something: it is smaller, and sooner there.
 */
function chunkOf(name: string, priority: number) {
  let within: Set<string> | undefined
  const visit = (id: string, graph: Graph, found: Set<string>) => {
    if (found.has(id)) return found
    found.add(id)
    for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) visit(imported, graph, found)
    return found
  }
  return {
    debugName: name,
    priority,
    name(id: string, graph: Graph) {
      within ??= visit(join(import.meta.dirname, 'src', `${name}.tsx`), graph, new Set())
      return within.has(id) ? name : null
    },
  }
}

const api = `http://127.0.0.1:${process.env.PORT ?? 8080}`

export default defineConfig({
  plugins: [react(), tailwindcss(), preloadApp(), precompress(), stampSources()],
  build: {
    target: 'es2023',
    manifest: true,
    sourcemap: true,
    // Every file has an address: the content security policy allows no data: scripts or fonts.
    assetsInlineLimit: 0,
    rolldownOptions: { output: { codeSplitting: { groups: [chunkOf('main', 2), chunkOf('app', 1)] } } },
  },
  server: {
    host: '127.0.0.1',
    port: 5173,
    strictPort: true,
    proxy: { '/api': api, '/docs': api, '/health': api },
  },
})
