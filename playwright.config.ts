import { defineConfig } from '@playwright/test'
import { executable, howToGet } from './scripts/testPrograms.ts'

const executablePath = executable('browser')
if (executablePath === undefined) throw new Error(`No browser to test in. ${howToGet('browser')}`)

export default defineConfig({
  testDir: 'tests/e2e',
  globalSetup: './tests/e2e/support/globalSetup.ts',
  // A test waits for its page, and its page for the server: three keep two cores busy.
  workers: 3,
  fullyParallel: true,
  retries: 0,
  // Nothing takes so long, but on a machine that does other things besides.
  timeout: 120_000,
  expect: { timeout: 20_000 },
  forbidOnly: process.env.CI !== undefined,
  use: {
    viewport: { width: 1440, height: 900 },
    // What moves keeps clicks waiting until it stands still.
    contextOptions: { reducedMotion: 'reduce' },
    // A trace of every test takes a fifth of its time; to look into a failure, run its file with --trace on.
    trace: 'off',
    screenshot: 'only-on-failure',
    // A machine without a graphics card or a way out must not slow the browser down.
    launchOptions: {
      executablePath,
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
  projects: [{ name: 'chromium', use: { browserName: 'chromium' } }],
})
