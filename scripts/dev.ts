/** Starts the development servers: Vite with hot reload, and an API server that restarts when its files change. */
import { spawn } from 'node:child_process'
import { setTimeout as wait } from 'node:timers/promises'
import { createServer } from 'vite'
import { root } from './programs.ts'
import { superviseSimulator, type SupervisedSimulator } from './simulator.ts'

process.env.DEMO ||= 'on'
const vite = await createServer({ root })
await vite.listen()

const server = spawn(process.execPath, ['--watch', '--watch-preserve-output', 'server/main.ts'], {
  cwd: root,
  stdio: 'inherit',
})
vite.printUrls()

let stopping = false
let simulator: SupervisedSimulator | undefined
async function stop() {
  if (stopping) return
  stopping = true
  simulator?.stop()
  server.kill('SIGTERM')
  await vite.close()
  process.exit()
}
process.on('SIGINT', () => void stop())
process.on('SIGTERM', () => void stop())
server.on('exit', () => void stop())

/** Returns whether the server responds. The fleet file exists by then, so the simulator can start. */
const isUp = () =>
  fetch(`http://127.0.0.1:${process.env.PORT || 8080}/health`).then(
    response => response.ok,
    () => false,
  )
while (!(await isUp())) await wait(500)
simulator = superviseSimulator(process.env)
