import { defineConfig } from '@playwright/test'
import { chromiumOptions } from './tests/support/chromium.ts'
import { testLanguage } from './tests/support/language.ts'

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
    launchOptions: {
      ...chromiumOptions,
      args: [
        ...chromiumOptions.args,
        // Pages live for seconds. Optimising all that is hot takes longer than it saves; compiling functions at their
        // first call, and collecting garbage less often, saves time. Maglev optimises quickly: axe takes a fifth less. It
        // gets functions only after ten times as many calls as usual; the suite takes a twentieth less time.
        '--js-flags=--no-opt,--always-sparkplug,--min-semi-space-size=16,--invocation-count-for-maglev=4000',
      ],
    },
  },
  projects: [{ name: 'chromium', use: { browserName: 'chromium' } }],
})
