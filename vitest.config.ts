import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { root } from './scripts/programs.ts'
import { executable } from './scripts/testPrograms.ts'

/** Milliseconds. Generous, for machines that run other work too. */
const testTimeout = 30_000

/**
 * The server tests that also run on the embedded database, with the feature in which it may differ from PostgreSQL.
 * Tests that are not listed use only queries that both databases answer alike. Browser tests always run on the embedded
 * database.
 */
const embedded: Readonly<Record<string, string>> = {
  'tests/server/auth/handlers.test.ts': 'row locks, and unique logins by the name of their constraint',
  'tests/server/bus/bus.test.ts': 'a bus within one process instead of the database’s',
  'tests/server/core/config.test.ts': 'which database is opened, and where',
  'tests/server/db': 'triggers, in transactions on a single connection',
  'tests/server/demo/start.embedded.test.ts': 'what npm start starts, a year of history included',
  'tests/server/devices/alarms/alarms.test.ts': 'arrays and JSON as parameters',
  'tests/server/devices/gateway/stores.test.ts': 'storing queued messages and commands, and reading them',
  'tests/server/devices/ingest': 'partitions, sums, upkeep and retries',
  'tests/server/resources/accounts/admins.test.ts': 'deletes and conflicts',
  'tests/server/resources/devices/statistics.test.ts': 'numbers and times as the driver returns them',
  'tests/server/resources/devices/upload.test.ts': 'many rows in one statement',
  'tests/server/resources/models/handlers.test.ts': 'locks on rows of several tables',
  'tests/server/resources/notifications/handlers.test.ts': 'searches in JSON',
  'tests/server/resources/shared': 'search with pg_trgm, sorting, and dry runs that are rolled back',
  'tests/server/scripts/device.embedded.test.ts': 'the data folder, which one process at a time may open',
}
for (const path of Object.keys(embedded))
  if (!existsSync(join(root, path))) throw new Error(`vitest.config.ts names ${path}, which does not exist`)

const serverTests = (database: 'pglite' | 'postgres', include: readonly string[], exclude: readonly string[]) => ({
  test: {
    name: `server-${database}`,
    include: [...include],
    exclude: [...exclude, ...(executable('mosquitto') ? [] : ['tests/server/**/*.mosquitto.*'])],
    globalSetup: ['tests/server/support/globalSetup.ts'],
    env: { TEST_DATABASE: database },
    setupFiles: ['tests/server/support/freshModules.ts'],
    // Threads start sooner than processes and share the compiled database; each file gets its own modules.
    pool: 'threads' as const,
    isolate: false,
    testTimeout,
    hookTimeout: 60_000,
  },
})

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          testTimeout,
          include: ['tests/unit/**/*.test.ts'],
          exclude: ['tests/unit/**/*.mocked.test.ts'],
          setupFiles: ['tests/support/language.ts'],
          // No test changes the state of a module, so modules are loaded once for all files.
          pool: 'threads',
          isolate: false,
        },
      },
      {
        test: {
          name: 'unit-mocked',
          testTimeout,
          include: ['tests/unit/**/*.mocked.test.ts'],
          setupFiles: ['tests/support/language.ts'],
        },
      },
      {
        test: {
          name: 'unit-dom',
          testTimeout,
          include: ['tests/unit/**/*.dom.test.tsx'],
          environment: 'jsdom',
          setupFiles: [
            'tests/support/language.ts',
            'tests/unit/support/allCommands.ts',
            'tests/unit/support/pristine.ts',
          ],
          // The files of a worker share a page; pristine.ts empties it after each of them.
          pool: 'threads',
          isolate: false,
        },
      },
      // Cluster tests need PostgreSQL, because only one server can use an embedded database.
      serverTests(
        'pglite',
        Object.keys(embedded).map(path => (path.endsWith('.ts') ? path : `${path}/**/*.test.ts`)),
        ['tests/server/**/*.cluster.test.ts'],
      ),
      serverTests('postgres', ['tests/server/**/*.test.ts'], ['tests/server/**/*.embedded.test.ts']),
    ],
  },
})
