/**
 * Runs every suite, the quick ones first, and counts over all of them. Its last line is 'N passed, N failed'; before that
 * it says what this machine could not run. A check without single tests (types, lint …) counts as one.
 */
import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { program, root } from './programs.ts'
import { executable, howToGet, type TestProgram } from './testPrograms.ts'

interface Count {
  passed: number
  failed: number
}
interface Suite {
  name: string
  /** Arguments to Node, one list for each step; a step that fails ends the suite. */
  steps: string[][]
  env?: Record<string, string>
  /** Reads the counts that the suite left behind; without it the suite is one check. */
  count?: () => Count
  /** Whether its output is shown also when it passes. */
  show?: boolean
}

const results = join(root, 'node_modules', '.cache', 'test-results')
/** A machine with much else to do takes twice as long as a quiet one. */
const maxDuration = 60 * 60_000

const readReport = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'))

interface VitestReport {
  numPassedTests: number
  numFailedTests: number
  testResults: { status: string; assertionResults: unknown[] }[]
}

/** `workers` is how many files run side by side: more than there are cores where tests wait for a database. */
function vitest(name: string, projects: string, workers: number): Suite {
  const file = join(results, `${name}.json`)
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
  return {
    name,
    steps: [[program('vitest'), 'run', `--project=${projects}`, `--maxWorkers=${workers}`, ...reporters]],
    count() {
      const report = readReport(file) as VitestReport
      // A file that fails before its first test has none to count.
      const broken = report.testResults.filter(of => of.status === 'failed' && of.assertionResults.length === 0)
      return { passed: report.numPassedTests, failed: report.numFailedTests + broken.length }
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
    count() {
      const { stats, errors } = readReport(file) as PlaywrightReport
      return { passed: stats.expected, failed: stats.unexpected + stats.flaky + errors.length }
    },
  }
}

/** What is left out on a machine without a program. */
const needed: Readonly<Record<TestProgram, string>> = {
  browser: 'The browser suite was left out: there is no Chromium',
  mosquitto: 'The tests on Mosquitto were left out (those on the embedded broker ran): there is none',
  office: 'What .xls files hold was not read again with LibreOffice: there is none',
}
const missing = (Object.keys(needed) as TestProgram[]).filter(name => executable(name) === undefined)

/**
 * Suites of one stage run two at a time, the next as soon as one is done, so that two cores are always busy; a stage
 * begins when the one before it is done.
 */
const stages: Suite[][] = [
  [
    { name: 'type check', steps: [[program('tsc', 'typescript'), '--noEmit']] },
    { name: 'lint', steps: [[program('oxlint'), '--type-aware', '--deny-warnings']] },
    { name: 'import rules', steps: [['scripts/importRules.ts']] },
    { name: 'structure', steps: [['scripts/structure.ts']], show: true },
    { name: 'format', steps: [[program('prettier'), '--check', '--log-level=warn', '.']] },
    { name: 'build and budget', steps: [['scripts/build.ts'], ['scripts/budget.ts']] },
    vitest('server on PostgreSQL', 'server-postgres', 3),
    vitest('unit', 'unit*', 2),
    vitest('server on PGlite', 'server-pglite', 2),
  ],
  // The browsers need both cores for themselves.
  missing.includes('browser') ? [] : [playwright('browser')],
]

/** Runs Node with these arguments; true when it ended well. */
function run(args: string[], env: Record<string, string>, keep: (text: string) => void): Promise<boolean> {
  return new Promise(done => {
    const child = spawn(process.execPath, args, {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: maxDuration,
    })
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => keep(text.toString()))
    child.on('close', (code, signal) => {
      if (signal !== null) keep(`\nEnded by ${signal}\n`)
      done(code === 0)
    })
  })
}

async function runSuite({ name, steps, env = {}, count, show = false }: Suite): Promise<Count> {
  const started = performance.now()
  let output = ''
  let ended = true
  for (const step of steps) {
    ended = await run(step, env, text => (output += text))
    if (!ended) break
  }

  let counted: Count = { passed: ended ? 1 : 0, failed: ended ? 0 : 1 }
  if (count) {
    try {
      counted = count()
      // It may fail outside of any test, or have found none.
      if (!ended && counted.failed === 0) counted.failed = 1
    } catch {
      // It crashed before it could report.
      counted = { passed: 0, failed: 1 }
    }
  }

  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  if (counted.failed > 0 || show) console.log(`\n${output.trim()}\n`)
  console.log(
    `${counted.failed > 0 ? '✗' : '✓'} ${name}: ${counted.passed} passed, ${counted.failed} failed (${seconds} s)`,
  )
  return counted
}

rmSync(results, { recursive: true, force: true })
mkdirSync(results, { recursive: true })

const started = performance.now()
// A machine that checks changes has everything; scripts/setup.mjs has ended with an error where it has not.
const total: Count = { passed: 0, failed: process.env.CI === undefined ? 0 : missing.length }
for (const stage of stages) {
  const waiting = [...stage]
  const runner = async () => {
    for (let suite = waiting.shift(); suite; suite = waiting.shift()) {
      const { passed, failed } = await runSuite(suite)
      total.passed += passed
      total.failed += failed
    }
  }
  await Promise.all([runner(), runner()])
}

if (total.failed > 0) process.exitCode = 1
console.log(`\nAll suites: ${((performance.now() - started) / 60_000).toFixed(1)} minutes`)
for (const name of missing) console.log(`${needed[name]}. ${howToGet(name)}.`)
console.log(`\n${total.passed} passed, ${total.failed} failed`)
