/** Servers that divide the work, with events over NATS, and the gateway as the broker of its devices. */
import { test } from 'vitest'
import { startNats } from '../support/buses/nats.ts'
import { prepare, proveDivision } from './divided.ts'

const { url: natsUrl } = await startNats()

test('a web server, a gateway and a worker are one installation, and any of them may be killed', async () => {
  await proveDivision(await prepare(), { natsUrl })
}, 180_000)
