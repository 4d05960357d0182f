/** Chromium of the browser tests and the bench. */
import { executable, howToInstall } from '../../scripts/testPrograms.ts'

const executablePath = executable('browser')
if (executablePath === undefined) throw new Error(`Chromium was not found. ${howToInstall('browser')}`)

export const chromiumOptions = {
  executablePath,
  // Without these, a machine without graphics card or internet access slows the browser down.
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
}
