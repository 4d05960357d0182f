/**
 * Runs every suite, the quick ones first, and adds up their counts. The last line is 'N passed, N failed'; the lines
 * before it list the tests that this machine could not run. A check without single tests (types, lint …) counts as one.
 */
import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { compileCache, program, root } from './programs.ts'
import { executable, howToInstall, type TestProgram } from './testPrograms.ts'

interface Count {
  passed: number
  failed: number
}
interface Suite {
  name: string
  /** Arguments to Node, one list for each step; a step that fails ends the suite. */
  steps: string[][]
  env?: Record<string, string>
  /** Returns the counts of the suite's report; without it the suite counts as one check. */
  count?: () => Count
  /** Whether the output is printed even if the suite passes. */
  show?: boolean
  /** Whether the suite needs `programs` to have run. */
  usesPrograms?: boolean
}

const results = join(root, 'node_modules', '.cache', 'test-results')
/** Milliseconds after which a step is ended. Generous: a busy machine takes twice as long as an idle one. */
const stepTimeout = 60 * 60_000

const readReport = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'))

interface VitestReport {
  numPassedTests: number
  numFailedTests: number
  testResults: { status: string; assertionResults: unknown[] }[]
}

/**
 * For the server suite: its short calls leave much garbage, and a larger young generation that the same thread collects
 * takes an eighth less processor time. PGlite's tests are too short for its code to be optimised, which takes a third of
 * their time. The unit suite gains nothing.
 */
const flagsOfServer = ['--min-semi-space-size=64', '--max-semi-space-size=64', '--single-threaded-gc', '--liftoff-only']

/** `workers` is how many files run side by side; `flags` are for Node. */
function vitest(name: string, projects: string, workers: number, flags: readonly string[] = []): Suite {
  const file = join(results, `${name}.json`)
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
  return {
    name,
    steps: [[...flags, program('vitest'), 'run', `--project=${projects}`, `--maxWorkers=${workers}`, ...reporters]],
    usesPrograms: projects === 'server',
    count() {
      const report = readReport(file) as VitestReport
      // A file that fails before its first test has no test to count.
      const failedFiles = report.testResults.filter(
        ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
      )
      return { passed: report.numPassedTests, failed: report.numFailedTests + failedFiles.length }
    },
  }
}

interface PlaywrightReport {
  stats: { expected: number; unexpected: number; flaky: number }
  errors: unknown[]
}

function playwright(name: string): Suite {
  const file = join(results, `${name}.json`)
  return {
    name,
    steps: [[program('playwright', '@playwright/test'), 'test', '--reporter=dot,json']],
    env: { PLAYWRIGHT_JSON_OUTPUT_FILE: file },
    usesPrograms: true,
    count() {
      const { stats, errors } = readReport(file) as PlaywrightReport
      return { passed: stats.expected, failed: stats.unexpected + stats.flaky + errors.length }
    },
  }
}

/** The tests that are skipped without a program. */
const skippedTests: Readonly<Record<TestProgram, string>> = {
  browser: 'Skipped the browser suite: Chromium was not found',
  clickhouse: 'Skipped the tests of telemetry in ClickHouse, not those in PostgreSQL: ClickHouse was not found',
  mosquitto: 'Skipped the tests on Mosquitto, not those on the embedded broker: Mosquitto was not found',
  nats: 'Skipped the tests of the event bus over NATS, not those over PostgreSQL: NATS was not found',
  office: 'Skipped reading exported .xls files with LibreOffice: LibreOffice was not found',
}
const isMissing = (name: TestProgram) => executable(name) === undefined

/** Installs the programs that tests use, where that is possible; where `CI` is set, it fails if one is missing. */
const programs: Suite = {
  name: 'programs',
  steps: [['scripts/setup.mjs', '--browser', '--broker', '--nats', '--clickhouse', '--office', '--optional']],
  show: true,
}

/**
 * Two of them run at a time, the first beside `programs`; the next starts as soon as one ends, so that two cores are
 * always busy. The build is first because the server and the browser suite use it; the other checks take several times as
 * long.
 */
const suites: Suite[] = [
  { name: 'build and budget', steps: [['scripts/build.ts'], ['scripts/budget.ts']] },
  // Lint reads the types anyway, so checking them here costs less than running tsc as well.
  { name: 'types and lint', steps: [[program('oxlint'), '--type-aware', '--type-check', '--deny-warnings']] },
  { name: 'import rules', steps: [['scripts/importRules.ts']] },
  { name: 'structure', steps: [['scripts/structure.ts']], show: true },
  { name: 'licences', steps: [['scripts/licences.ts']] },
  { name: 'format', steps: [[program('oxfmt'), '--check']] },
  vitest('server', 'server', 2, flagsOfServer),
  // The browsers leave a fifth of the processors' time unused, in which the other suites run.
  playwright('browser'),
  vitest('unit', 'unit*', 2),
]

/** Runs Node with these arguments. Resolves with whether it exited with code 0. */
function run(args: string[], env: Record<string, string>, onOutput: (text: string) => void): Promise<boolean> {
  return new Promise(resolve => {
    const child = spawn(process.execPath, args, {
      cwd: root,
      // Tests start the server about a hundred times.
      env: { ...process.env, NODE_COMPILE_CACHE: compileCache, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: stepTimeout,
    })
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => onOutput(text.toString()))
    child.on('close', (code, signal) => {
      if (signal !== null) onOutput(`\nEnded by ${signal}\n`)
      resolve(code === 0)
    })
  })
}

async function runSuite({ name, steps, env = {}, count, show = false }: Suite): Promise<Count> {
  const started = performance.now()
  let output = ''
  let succeeded = true
  for (const step of steps) {
    succeeded = await run(step, env, text => (output += text))
    if (!succeeded) break
  }

  let result: Count = { passed: succeeded ? 1 : 0, failed: succeeded ? 0 : 1 }
  if (count) {
    try {
      result = count()
      // The suite may fail outside of any test, or find no tests.
      if (!succeeded && result.failed === 0) result.failed = 1
    } catch {
      // The suite crashed before it wrote its report.
      result = { passed: 0, failed: 1 }
    }
  }

  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  if (output !== '' && (result.failed > 0 || show)) console.log(`\n${output.trim()}\n`)
  console.log(
    `${result.failed > 0 ? '✗' : '✓'} ${name}: ${result.passed} passed, ${result.failed} failed (${seconds} s)`,
  )
  return result
}

rmSync(results, { recursive: true, force: true })
mkdirSync(results, { recursive: true })

const started = performance.now()
const total: Count = { passed: 0, failed: 0 }
async function add(suite: Suite): Promise<void> {
  const { passed, failed } = await runSuite(suite)
  total.passed += passed
  total.failed += failed
}

let areInstalled = false
const installation = add(programs).then(() => (areInstalled = true))

/** Returns the next suite that can start, or waits until the programs are installed. */
async function takeSuite(): Promise<Suite | undefined> {
  const canStart = ({ usesPrograms }: Suite) => areInstalled || !usesPrograms
  if (!suites.some(canStart)) await installation
  const suite = suites.find(canStart)
  if (suite) suites.splice(suites.indexOf(suite), 1)
  return suite
}
async function runner(): Promise<void> {
  for (let suite = await takeSuite(); suite; suite = await takeSuite())
    if (suite.name !== 'browser' || !isMissing('browser')) await add(suite)
}
await Promise.all([installation.then(runner), runner()])

if (total.failed > 0) process.exitCode = 1
console.log(`\nAll suites: ${((performance.now() - started) / 60_000).toFixed(1)} minutes`)
for (const name of (Object.keys(skippedTests) as TestProgram[]).filter(isMissing))
  console.log(`${skippedTests[name]}. ${howToInstall(name)}.`)
console.log(`\n${total.passed} passed, ${total.failed} failed`)
