/**
 * `npm run bench`: measures the console and its server, with budgets. Prints each figure as it is measured, and all of them
 * as JSON at the end, which is also in a file from the first figure on. Arguments: the parts to run.
 */
import { join } from 'node:path'
import { isBuilt, buildIfNeeded } from '../../scripts/build.ts'
import { root } from '../../scripts/programs.ts'
import { runPart } from './bench.ts'
import { launch } from './browser.ts'
import { progress } from './figures.ts'
import { benchFleet, benchMillion, largeFleet } from './devices/fleet.ts'
import { measureSteadiness } from './frames.ts'
import { partsOf } from './parts.ts'
import { openResults } from './results.ts'
import { measureHostile } from './trust/hostile.ts'

const names = process.argv.slice(2)
/** `trust hostile`, which may be followed by a number of requests: by itself and without a limit, as it takes half an hour. */
const isHostile = names[0] === 'trust' && names[1] === 'hostile'
const parts = isHostile ? [] : partsOf(names)

// The build logs to stdout, which is for the figures.
if (!isBuilt()) progress('Building the console …')
console.log = (...text: unknown[]) => progress(text.join(' '))
buildIfNeeded()
// Before the parts, whose time is limited.
await benchFleet()
if (parts.some(([name]) => ['million', 'scale'].includes(name))) await benchMillion()

async function steadiness() {
  const browser = await launch()
  try {
    return { chromium: browser.version(), ...(await measureSteadiness(browser)) }
  } finally {
    await browser.close()
  }
}

const file = join(root, 'node_modules', '.cache', 'bench', `${new Date().toISOString().replaceAll(/[:.]/g, '-')}.json`)
const results = openResults(file, { fleet: largeFleet })
progress(`The figures are in ${file}`)
results.note({ before: await steadiness() })
const stop = new AbortController()
// Browsers and servers are closed before the bench ends.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())
if (isHostile) await results.during('trust:hostile', () => measureHostile(names[2]))
for (const [name, part] of parts) {
  if (stop.signal.aborted) break
  progress(`\n${name}`)
  await results.during(name, () => runPart(part, stop.signal))
}
if (!stop.signal.aborted) results.note({ after: await steadiness() })
process.stdout.write(`${results.json()}\n`)
const failures = results.failures()
for (const failure of failures) progress(`✗ ${failure}`)
if (failures.length > 0) process.exitCode = 1
