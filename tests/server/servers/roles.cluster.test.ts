/** Servers that divide the work, with the gateway as the broker of its devices. */
import { test } from 'vitest'
import { prepare, proveDivision } from './divided.ts'

test('a web server, a gateway and a worker are one installation, and any of them may be killed', async () => {
  await proveDivision(await prepare())
}, 180_000)
