import { defineConfig } from 'vitest/config'

/** The server's tests run whole on both databases, but for those of several servers, which need PostgreSQL. */
const serverTests = (database: 'pglite' | 'postgres') => ({
  test: {
    name: `server-${database}`,
    include: ['tests/server/**/*.test.ts'],
    exclude: database === 'pglite' ? ['tests/server/**/*.cluster.test.ts'] : [],
    globalSetup: ['tests/server/globalSetup.ts'],
    env: { TEST_DATABASE: database },
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
})

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['tests/unit/**/*.test.ts'],
        },
      },
      {
        test: {
          name: 'unit-dom',
          include: ['tests/unit/**/*.dom.test.tsx'],
          environment: 'jsdom',
        },
      },
      serverTests('pglite'),
      serverTests('postgres'),
    ],
  },
})
