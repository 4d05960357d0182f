/** Hot reload: Vite serves the console and passes API calls on to a server that restarts when its files change. */
import { spawn } from 'node:child_process'
import { createServer } from 'vite'
import { root } from './programs.ts'

process.env.DEMO ||= 'on'
const vite = await createServer({ root })
await vite.listen()

const server = spawn(process.execPath, ['--watch', '--watch-preserve-output', 'server/main.ts'], {
  cwd: root,
  stdio: 'inherit',
})
vite.printUrls()

let stopping = false
async function stop() {
  if (stopping) return
  stopping = true
  server.kill('SIGTERM')
  await vite.close()
  process.exit()
}
process.on('SIGINT', () => void stop())
process.on('SIGTERM', () => void stop())
server.on('exit', () => void stop())
