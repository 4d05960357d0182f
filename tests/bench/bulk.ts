/** A command to ten thousand devices, given by keys: the console, the server and devices that speak their protocol. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Browser, CDPSession, Page } from '@playwright/test'
import { root } from '../../scripts/programs.ts'
import { fleetPath } from '../../server/demo/fleetFile.ts'
import { openDevices, signedIn } from './browser.ts'
import { figure, progress, tell, type Figure } from './figures.ts'
import { watch } from './processes.ts'
import { startRealServer, type RealServer } from './realServer.ts'
import { signIn } from './session.ts'
import { slowFrame } from './table.ts'

/** Of these a twentieth or so is offline, or of a model that cannot be locked: ten thousand are told. */
const fleet = 11_000
const longest = 180_000
/** Milliseconds between two looks at memory. */
const look = 500

/** Every device of the fleet that is not meant to be away, connected, and doing nothing of itself. */
async function startDevices({ mqttUrl, dataDir }: RealServer): Promise<ChildProcess> {
  const options = { url: mqttUrl, fleet: fleetPath(dataDir), interval: '60s', draws: 'off', connects: '400' }
  const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value])
  const simulator = spawn(process.execPath, [join(root, 'simulator', 'main.ts'), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  for await (const line of createInterface({ input: simulator.stdout! })) {
    const [, connected, all] = /^(\d+) of (\d+) /.exec(line) ?? []
    progress(line)
    if (connected !== undefined && connected === all) break
  }
  simulator.stdout!.resume()
  return simulator
}

/** What a page's JavaScript holds, in megabytes, after what nobody needs is gone. */
async function heap(cdp: CDPSession): Promise<number> {
  await cdp.send('HeapProfiler.collectGarbage')
  return heapNow(cdp)
}
async function heapNow(cdp: CDPSession): Promise<number> {
  const { metrics } = await cdp.send('Performance.getMetrics')
  return (metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? NaN) / 1e6
}

/** Notes a value now and then until it is stopped. */
function sampled(read: () => Promise<number> | number): () => Promise<number[]> {
  const values: Promise<number>[] = []
  const take = () => void values.push(Promise.resolve(read()))
  take()
  const timer = setInterval(take, look)
  return () => {
    clearInterval(timer)
    take()
    return Promise.all(values)
  }
}

async function measureLock(page: Page, server: RealServer): Promise<Figure[]> {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('Performance.enable')
  await page.keyboard.press('ControlOrMeta+Shift+A')
  await page
    .getByText(/^11,000\s*selected/)
    .first()
    .waitFor()
  const before = await heap(cdp)
  const preview = page.getByRole('alertdialog')
  const previewed = performance.now()
  await page.keyboard.press('l')
  await preview
    .getByText(/^[\d,]+ affected$/)
    .first()
    .waitFor({ timeout: 60_000 })
  const shown = performance.now() - previewed

  const ofServer = watch(server.process)
  const server0 = ofServer().memory
  const serverMemory = sampled(() => ofServer().memory)
  const pageMemory = sampled(() => heapNow(cdp))
  await page.evaluate(() => window.bench.watchFrames())
  const begun = performance.now()
  await page.keyboard.press('Enter')
  const told = page.getByText(/^Locked [\d,]+ of [\d,]+ devices$/).first()
  await told.waitFor({ timeout: longest })
  const taken = (performance.now() - begun) / 1000
  const frames = await page.evaluate(() => window.bench.frames())
  progress(`${await told.textContent()}`)
  const dropped = frames.filter(interval => interval > slowFrame)
  const budget = { median: 1 }
  return [
    figure('bulk: key to the preview of 11,000 devices', 'ms', [shown], null),
    figure('bulk: 10,000 devices, start to last acknowledgement', 's', [taken], null),
    figure(
      'bulk: memory of the server, more than before',
      'MB',
      (await serverMemory()).map(mb => mb - server0),
      null,
    ),
    figure('bulk: memory of the page', 'MB', await pageMemory(), null),
    figure('bulk: memory of the page that stays', 'MB', [(await heap(cdp)) - before], null),
    figure(`bulk: frames over ${slowFrame} ms meanwhile`, '%', [(dropped.length / frames.length) * 100], budget),
    figure('bulk: those frames', 'ms', dropped, null),
  ]
}

export async function measureBulk(browser: Browser): Promise<Figure[]> {
  progress('A command to 10,000 devices …')
  const server = await startRealServer(undefined, fleet)
  let devices: ChildProcess | undefined
  try {
    devices = await startDevices(server)
    const context = await signedIn(browser, server.url, await signIn(server.url, 'admin'))
    const figures = await measureLock(await openDevices(context, server.url), server)
    await context.close()
    return figures.map(tell)
  } catch (error) {
    progress(server.log())
    throw error
  } finally {
    if (devices?.kill()) await once(devices, 'exit')
    await server.remove()
  }
}
