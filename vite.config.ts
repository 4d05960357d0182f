import { readdir, readFile, writeFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { dist, hashSources, stamp } from './scripts/build.ts'

const compressible = new Set(['.js', '.css', '.html', '.svg'])

/** Compresses files at build time, so that the server does not compress them on every request. */
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

/** Stores the hash of the sources with the build, so that the next start can check whether it is up to date. */
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
 * Adds a `modulepreload` link for the app chunk to index.html, so that it loads in parallel with the small entry chunk,
 * which fetches the first rows and then imports it.
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
        // Its imports already have links.
        return app && [{ tag: 'link', attrs: { rel: 'modulepreload', crossorigin: true, href: `/${app.fileName}` } }]
      },
    },
  }
}

interface Graph {
  getModuleInfo(id: string): { readonly importedIds: readonly string[] } | null
}

/**
 * Returns a chunk group of a module and all its static imports. By default, modules would be split into one chunk for
 * each set of screens that share them, which is larger in total and loads later.
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
    // No file is inlined, because the content security policy allows no data: scripts or fonts.
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
