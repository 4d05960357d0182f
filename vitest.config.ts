import { defineConfig } from 'vitest/config'
import { executable } from './scripts/testPrograms.ts'

/** Milliseconds. Generous, for machines that run other work too. */
const testTimeout = 180_000

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
      {
        test: {
          name: 'server',
          include: ['tests/server/**/*.test.ts'],
          exclude: (['clickhouse', 'mosquitto', 'nats'] as const).flatMap(name =>
            executable(name) ? [] : [`tests/server/**/*.${name}.*`],
          ),
          globalSetup: ['tests/server/support/globalSetup.ts'],
          // No test changes the state of a module, so modules are loaded once for all files of a worker.
          pool: 'threads',
          isolate: false,
          testTimeout,
          hookTimeout: testTimeout,
        },
      },
    ],
  },
})
