import { defineConfig } from '@playwright/test'
import { testLanguage } from './tests/support/language.ts'
import { executable, howToInstall } from './scripts/testPrograms.ts'

const executablePath = executable('browser')
if (executablePath === undefined) throw new Error(`Chromium was not found. ${howToInstall('browser')}`)

export default defineConfig({
  testDir: 'tests/e2e',
  globalSetup: './tests/e2e/support/globalSetup.ts',
  // More than there are cores take longer: each has a server, devices and a browser of its own.
  workers: 2,
  fullyParallel: true,
  retries: 0,
  // Generous, for machines that run other work too.
  timeout: 120_000,
  expect: { timeout: 20_000 },
  forbidOnly: process.env.CI !== undefined,
  use: {
    // Without it, a click on what is not there takes the test's whole time.
    actionTimeout: 30_000,
    viewport: { width: 1440, height: 900 },
    locale: testLanguage,
    // Playwright waits for animations to end before it clicks.
    contextOptions: { reducedMotion: 'reduce' },
    // Tracing takes a fifth of a test's time; to investigate a failure, run its file with --trace on.
    trace: 'off',
    screenshot: 'only-on-failure',
    // Without these, a machine without graphics card or internet access slows the browser down.
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
        // Pages live for seconds. Optimising all that is hot takes longer than it saves; compiling functions at their
        // first call, and collecting garbage less often, saves time. Maglev optimises quickly: axe takes a fifth less.
        '--js-flags=--no-opt,--always-sparkplug,--min-semi-space-size=16',
      ],
    },
  },
  projects: [{ name: 'chromium', use: { browserName: 'chromium' } }],
})
