/** Servers that divide the work, with an external broker: those without the role gateway only publish at it. */
import { test } from 'vitest'
import { startMosquitto } from '../support/processes/mosquitto.ts'
import { prepare, proveDivision } from './divided.ts'

test('a web server, a gateway and a worker are one installation, and any of them may be killed', async () => {
  const prepared = await prepare()
  const broker = await startMosquitto([prepared.credential])
  await proveDivision(prepared, { broker })
}, 180_000)
