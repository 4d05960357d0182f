/** A command to ten thousand devices by keyboard: console, server and simulated devices. */
import type { CDPSession, Page } from '@playwright/test'
import type { Bench } from '../bench.ts'
import { openDevices, openContext } from '../browser.ts'
import { figure, frameShare, progress, report } from '../figures.ts'
import { watch } from '../processes.ts'
import { startRealServer, type RealServer } from '../realServer.ts'
import { signIn } from '../session.ts'
import { startDevices, stopDevices } from '../devices/simulated.ts'
import { slowFrame } from '../frames.ts'

/** About a twentieth is offline or of a model without a lock, so that ten thousand devices are commanded. */
const fleet = 11_000
const timeout = 180_000
/** Milliseconds between two samples of memory. */
const sampleInterval = 500

/** Returns the page's JavaScript heap in megabytes after a garbage collection. */
async function heap(cdp: CDPSession): Promise<number> {
  await cdp.send('HeapProfiler.collectGarbage')
  return heapNow(cdp)
}
async function heapNow(cdp: CDPSession): Promise<number> {
  const { metrics } = await cdp.send('Performance.getMetrics')
  return (metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? NaN) / 1e6
}

/** Samples a value at an interval until the returned function is called, which returns all samples. */
function startSampling(read: () => Promise<number> | number): () => Promise<number[]> {
  const values: Promise<number>[] = []
  const sample = () => void values.push(Promise.resolve(read()))
  sample()
  const timer = setInterval(sample, sampleInterval)
  return () => {
    clearInterval(timer)
    sample()
    return Promise.all(values)
  }
}

async function measureLock(page: Page, server: RealServer): Promise<void> {
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
    .getByText(/^[\d,]+ will lock$/)
    .first()
    .waitFor({ timeout: 60_000 })
  const shown = performance.now() - previewed

  const serverUsage = watch(server.process)
  const initialMemory = serverUsage().memory
  const serverMemory = startSampling(() => serverUsage().memory)
  const pageMemory = startSampling(() => heapNow(cdp))
  await page.evaluate(() => window.bench.watchFrames())
  const started = performance.now()
  await page.keyboard.press('Enter')
  const message = page.getByText(/^Locked [\d,]+ of [\d,]+ devices$/).first()
  await message.waitFor({ timeout })
  const duration = (performance.now() - started) / 1000
  const frames = await page.evaluate(() => window.bench.frames())
  progress(`${await message.textContent()}`)
  const dropped = frames.filter(interval => interval > slowFrame)
  report(
    figure('bulk: key to the preview of 11,000 devices', 'ms', [shown], null),
    figure('bulk: 10,000 devices, start to last acknowledgement', 's', [duration], null),
    figure(
      'bulk: memory of the server, more than before',
      'MB',
      (await serverMemory()).map(mb => mb - initialMemory),
      null,
    ),
    figure('bulk: memory of the page', 'MB', await pageMemory(), null),
    figure('bulk: memory of the page that stays', 'MB', [(await heap(cdp)) - before], null),
    frameShare(`bulk: frames over ${slowFrame} ms meanwhile`, frames, slowFrame, { median: 1 }),
    figure('bulk: those frames', 'ms', dropped, null),
  )
}

export async function measureBulk(bench: Bench): Promise<void> {
  progress('A command to 10,000 devices …')
  const server = await startRealServer(undefined, fleet)
  bench.after(() => server.remove())
  const devices = await startDevices(server)
  bench.after(() => stopDevices(devices))
  const context = await openContext(await bench.browser(), server.url, await signIn(server.url, 'admin'))
  try {
    await measureLock(await openDevices(context, server.url), server)
  } catch (error) {
    progress(server.log())
    throw error
  }
}
