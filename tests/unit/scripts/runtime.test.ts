import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../../../scripts/programs.ts'
import { importsOf, isDevelopmentFile, packageFolders, programs } from '../../../scripts/runtime.ts'

test('a server is copied with all that it imports, and without the console', () => {
  const { files, packages } = importsOf(['server/main.ts'])
  expect(files).toContain('server/db/pglite.ts')
  expect(files).toContain('src/api/contract/devices.ts')
  expect(files.filter(file => /^src\/(screens|ui|shell|commands)\/|^tests\//.test(file))).toEqual([])
  expect(packages).toEqual(expect.arrayContaining(['fastify', 'pg', 'drizzle-orm', 'aedes', '@electric-sql/pglite']))
  const folders = packageFolders(packages)
  // Of `pg`, and the program of argon2 for this platform.
  expect(folders).toContain('node_modules/pg-pool')
  expect(folders.some(folder => folder.startsWith('node_modules/@node-rs/argon2-'))).toBe(true)
  expect(folders.filter(folder => /\/(react|vite|typescript|lucide-react|node)$/.test(folder))).toEqual([])
})

test('the program that reads uploaded files in a process of its own is copied, with its packages', () => {
  const { files, packages } = importsOf(['server/main.ts'])
  expect(files).toContain('server/files/sheetWorker.ts')
  const own = importsOf(['server/files/sheetWorker.ts'])
  expect(own.packages.length).toBeGreaterThan(0)
  expect(packages).toEqual(expect.arrayContaining(own.packages))
})

test('every command for operators is copied', () => {
  const commands = readdirSync(join(root, 'scripts'))
    .map(name => `scripts/${name}`)
    .filter(path => readFileSync(join(root, path), 'utf8').includes('await runCommand('))
  expect(commands.length).toBeGreaterThan(3)
  expect(programs).toEqual(expect.arrayContaining(commands))
})

test('of packages, what does not run is left out: tests, documents, types and TypeScript, but not licences', () => {
  const folder = '/app/node_modules'
  const unneeded = [
    'zod/src/index.ts',
    'zod/index.d.cts',
    '@a/b/test/x.js',
    'pino/tests',
    'mqtt/README.md',
    'pg/a.js.map',
  ]
  expect(unneeded.filter(path => !isDevelopmentFile(`${folder}/${path}`))).toEqual([])
  const needed = [
    'ms/license.md',
    'yaml/dist/doc/Document.js',
    'find-my-way/lib/test/a.js',
    '@x/test/index.js',
    'a/index.js',
  ]
  expect(needed.filter(path => isDevelopmentFile(`${folder}/${path}`))).toEqual([])
  expect(isDevelopmentFile('/app/server/main.ts')).toBe(false)
})
