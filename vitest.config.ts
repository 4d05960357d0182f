import { defineConfig } from 'vitest/config'

/** Milliseconds; nothing takes so long, but on a machine that does other things besides. */
const patience = 30_000

/** The server's tests run whole on both databases, but for those of several servers, which need PostgreSQL. */
const serverTests = (database: 'pglite' | 'postgres') => ({
  test: {
    name: `server-${database}`,
    include: ['tests/server/**/*.test.ts'],
    exclude: database === 'pglite' ? ['tests/server/**/*.cluster.test.ts'] : [],
    globalSetup: ['tests/server/support/globalSetup.ts'],
    env: { TEST_DATABASE: database },
    // Each file has its own, as with processes; but threads start sooner, and share what is compiled of the database.
    pool: 'threads' as const,
    testTimeout: patience,
    hookTimeout: 60_000,
  },
})

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          testTimeout: patience,
          include: ['tests/unit/**/*.test.ts'],
        },
      },
      {
        test: {
          name: 'unit-dom',
          testTimeout: patience,
          include: ['tests/unit/**/*.dom.test.tsx'],
          environment: 'jsdom',
          setupFiles: ['tests/unit/support/allCommands.ts'],
        },
      },
      serverTests('pglite'),
      serverTests('postgres'),
    ],
  },
})
