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

/** Summaries of endpoints, and schemas of responses and of rows of lists that have a name. */
const unused =
  /\bsummary:\s*('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`[^`]*`),|\bresponse: (?!BulkResponse\b)(?:z\.array\(\w+\)|[\w.]+),|\brow: [A-Z]\w+,/g

/**
 * Leaves out what only the server, the API page and the command line use of endpoints. The console does not validate
 * responses; it only knows bulk calls by theirs.
 */
function dropUnused(): Plugin {
  return {
    name: 'permeate:drop-unused',
    apply: 'build',
    // Before types are removed, which also changes quotes.
    enforce: 'pre',
    transform: {
      filter: { id: /\/src\/api\/contract\/[\w/]+\.ts$/ },
      // Lines stay where they are, for the source map.
      handler: code => ({ code: code.replace(unused, text => text.replace(/[^\n]/g, '')), map: null }),
    },
  }
}

/**
 * The router's build without warnings for developers, which its package does not export. `react-router-dom` only exports
 * it again.
 */
const router = join(import.meta.dirname, 'node_modules/react-router/dist/production/index.mjs')

/**
 * Leaves out the components and contexts of the router that are not used. They would stay, because they are created by calls
 * that are not marked as pure, and then get names for developer tools.
 */
function dropUnusedRouter(): Plugin {
  return {
    name: 'permeate:drop-unused-router',
    apply: 'build',
    transform: {
      filter: { id: /\/react-router\/dist\/production\// },
      handler: code => ({
        code: code
          .replace(/^\w+\.displayName = "\w+";$/gm, '')
          .replace(/^(var \w+ = )(?=\w+\.(?:forwardRef|createContext|memo)\()/gm, '$1/* @__PURE__ */ '),
        map: null,
      }),
    },
  }
}

const noDialog = '\0no-dialog'

/** Leaves out the dialog of cmdk, which is a quarter of the palette's code: the palette uses the same dialog as all others. */
function dropMenuDialog(): Plugin {
  return {
    name: 'permeate:drop-menu-dialog',
    apply: 'build',
    enforce: 'pre',
    resolveId: { filter: { id: /^@radix-ui\/react-dialog$/ }, handler: () => noDialog },
    load: {
      filter: { id: /^\0no-dialog$/ },
      handler: () => 'export const Root = undefined, Portal = undefined, Overlay = undefined, Content = undefined',
    },
  }
}

/** The fonts of the first screen; other scripts than Latin load when a text needs them. */
const firstFonts = /\/(inter|jetbrains-mono)-latin-wght-normal-/

/**
 * Adds links to index.html: for the app chunk, so that it loads in parallel with the small entry chunk, which fetches the
 * first rows and then imports it; and for the fonts, so that the first text does not move when they arrive.
 */
function preloadApp(): Plugin {
  return {
    name: 'permeate:preload-app',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(_, { bundle = {} }) {
        const files = Object.values(bundle)
        const link = (attrs: Record<string, string>, { fileName }: { fileName: string }) => ({
          tag: 'link',
          attrs: { ...attrs, crossorigin: true, href: `/${fileName}` },
          injectTo: 'head' as const,
        })
        // Its imports already have links.
        const app = files.filter(file => file.type === 'chunk' && file.name === 'app')
        const fonts = files.filter(({ fileName }) => firstFonts.test(fileName))
        return [
          ...app.map(file => link({ rel: 'modulepreload' }, file)),
          ...fonts.map(file => link({ rel: 'preload', as: 'font', type: 'font/woff2' }, file)),
        ]
      },
    },
  }
}

interface Graph {
  getModuleInfo(id: string): { readonly importedIds: readonly string[] } | null
}

/** The index of Headless UI, which imports all its components, and the one that the palette uses. */
const headlessIndex = /headlessui\.esm\.js$/
const headlessDialog = /components\/dialog\//

/**
 * Returns a chunk group of modules (paths in `src`) and all their static imports. By default, modules would be split into
 * one chunk for each set of screens that share them: larger in total, and a hundred requests in place of twenty. With
 * `dialogOnly`, of Headless UI only its dialog belongs to the group.
 */
function chunkOf(name: string, priority: number, roots: readonly string[], { dialogOnly = false } = {}) {
  let within: Set<string> | undefined
  const visit = (id: string, graph: Graph, found: Set<string>) => {
    if (found.has(id)) return found
    const isPartial = dialogOnly && headlessIndex.test(id)
    if (!isPartial) found.add(id)
    for (const imported of graph.getModuleInfo(id)?.importedIds ?? [])
      if (!isPartial || headlessDialog.test(imported)) visit(imported, graph, found)
    return found
  }
  const findAll = (graph: Graph) =>
    roots.reduce((found, root) => visit(join(import.meta.dirname, 'src', root), graph, found), new Set<string>())
  return {
    debugName: name,
    priority,
    name(id: string, graph: Graph) {
      within ??= findAll(graph)
      return within.has(id) ? name : null
    },
  }
}

/** Of modules in several groups, the group with the higher priority gets them. */
const chunks = [
  chunkOf('main', 9, ['main.tsx']),
  chunkOf('app', 8, ['app.tsx']),
  // What the screens before a session need, without the rest of the console.
  chunkOf('form', 7, [
    'commands/surfaces/forms/AccountForm.tsx',
    'commands/people/passwords.ts',
    'ui/Link.tsx',
    'ui/secondFactor.tsx',
  ]),
  // The first render waits for it after a reload, and where the address has parameters.
  chunkOf('address', 6, ['shell/address/address.ts']),
  // What a list needs as soon as its rows show.
  chunkOf('list', 5, [
    'commands/surfaces/buttons/MoreIcon.tsx',
    'commands/surfaces/list/ListEmpty.tsx',
    'commands/surfaces/list/NarrowToolbar.tsx',
    'shell/JobsBadge.tsx',
    'shell/UnseenBadge.tsx',
    'commands/surfaces/toasts/toasts.tsx',
    'shell/Messages.tsx',
    'ui/table/headGestures.ts',
    'ui/table/rowGestures.ts',
    'ui/table/virtualizer.ts',
  ]),
  // All commands with what runs them, then the palette: loaded as soon as the first rows show, before all else.
  chunkOf('commands', 4, [
    'commands/deferredCommands.ts',
    'commands/surfaces/host/host.ts',
    'commands/surfaces/keys/replayKey.ts',
  ]),
  chunkOf('palette', 3, ['commands/surfaces/palette/Palette.tsx'], { dialogOnly: true }),
  // What every session needs before long; loaded when the page is idle.
  chunkOf('deferred', 2, [
    'api/refresh.ts',
    'commands/core/execution/confirmPlan.ts',
    'commands/core/execution/settle.ts',
    'commands/core/execution/waitForTargets.ts',
    'commands/selection/turnedPage.ts',
    'commands/surfaces/host/dryRunWithProgress.ts',
    'commands/surfaces/host/runs.ts',
    'commands/surfaces/keys/WhichKey.tsx',
    'commands/surfaces/toasts/OutcomeToast.tsx',
    'commands/surfaces/toasts/ProgressToast.tsx',
    'screens/devices/DevicePanel.tsx',
    'shell/dialogs.tsx',
  ]),
  // Apart, because these look commands up when they are loaded: all commands must have been registered before.
  chunkOf('menus', 1, [
    'commands/surfaces/buttons/ExportMenu.tsx',
    'commands/surfaces/buttons/menus.tsx',
    'commands/surfaces/list/SelectionBar.tsx',
  ]),
]

/** The chunks of which nearly every function is called before the first rows or the palette show. */
const compiledWhole = new Set(['main', 'app', 'palette'])

/**
 * Makes Chromium compile all functions of these chunks while they load, on another thread, and not one by one on the page's
 * thread when they are called. The comment that tells it to has to be the first line.
 */
function compileWhole(): Plugin {
  return {
    name: 'permeate:compile-whole',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        for (const chunk of Object.values(bundle)) {
          if (chunk.type !== 'chunk' || !compiledWhole.has(chunk.name)) continue
          chunk.code = `//# allFunctionsCalledOnLoad\n${chunk.code}`
          const map = bundle[`${chunk.fileName}.map`]
          // The first line has no source; an empty line in the map moves the others down.
          if (map?.type === 'asset') map.source = String(map.source).replace('"mappings":"', '"mappings":";')
        }
      },
    },
  }
}

const api = `http://127.0.0.1:${process.env.PORT ?? 8080}`

export default defineConfig({
  // SWR imports a replacement for a hook that React itself has since version 18.
  resolve: {
    alias: [
      { find: /^use-sync-external-store\/shim(\/index\.js)?$/, replacement: 'react' },
      { find: /^react-router-dom$/, replacement: router },
    ],
  },
  plugins: [
    dropUnused(),
    dropUnusedRouter(),
    dropMenuDialog(),
    react(),
    tailwindcss(),
    preloadApp(),
    compileWhole(),
    precompress(),
    stampSources(),
  ],
  build: {
    target: 'es2023',
    manifest: true,
    sourcemap: true,
    // No file is inlined, because the content security policy allows no data: scripts or fonts.
    assetsInlineLimit: 0,
    rolldownOptions: { output: { codeSplitting: { groups: chunks } } },
  },
  server: {
    host: '127.0.0.1',
    port: 5173,
    strictPort: true,
    proxy: { '/api': api, '/docs': api, '/health': api },
  },
})
