/** A ClickHouse for tests and benchmarks, in a folder of its own. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { executable } from '../../scripts/testPrograms.ts'
import { freePort } from './ports.ts'

export interface ClickHouse {
  /** The URL for servers, without a database's name. */
  readonly url: string
  readonly folder: string
  /** Kills it at once, like a failing machine. */
  kill(): Promise<void>
  /** Starts it again, at the same port. */
  start(): Promise<void>
  /** Kills it and removes its folder. */
  remove(): Promise<void>
}

/** Starts a ClickHouse. */
export async function launchClickHouse(): Promise<ClickHouse> {
  const folder = await mkdtemp(join(tmpdir(), 'permeate-clickhouse-'))
  const [port, tcpPort, betweenPort] = [await freePort(), await freePort(), await freePort()]
  const config = join(folder, 'config.xml')
  await writeFile(
    config,
    `<yandex>
      <logger><level>error</level><console>1</console></logger>
      <http_port>${port}</http_port><tcp_port>${tcpPort}</tcp_port>
      <interserver_http_port>${betweenPort}</interserver_http_port>
      <listen_host>127.0.0.1</listen_host>
      <path>${folder}/data/</path><tmp_path>${folder}/tmp/</tmp_path>
      <users_config>${config}</users_config>
      <default_profile>default</default_profile><default_database>default</default_database>
      <mark_cache_size>67108864</mark_cache_size>
      <profiles><default/></profiles><quotas><default/></quotas>
      <users><default><password/><networks><ip>127.0.0.1</ip></networks><profile>default</profile><quota>default</quota></default></users>
    </yandex>`,
  )
  const isReady = () =>
    fetch(`http://127.0.0.1:${port}/ping`).then(
      answer => answer.ok,
      () => false,
    )
  const start = async () => {
    const server = spawn(executable('clickhouse')!, ['--config-file', config], { cwd: folder, stdio: 'ignore' })
    const exited = once(server, 'exit')
    // Not with `until`, because benchmarks run without Vitest.
    while (!(await isReady())) {
      if (server.exitCode !== null) throw new Error(`ClickHouse ended with ${server.exitCode}`)
      await wait(50)
    }
    return { server, exited }
  }
  let running = await start()
  // A test file that skips all of its tests ends without stopping it.
  process.once('exit', () => running.server.kill('SIGKILL'))
  const kill = async () => {
    running.server.kill('SIGKILL')
    await running.exited
  }
  return {
    url: `clickhouse://127.0.0.1:${port}`,
    folder,
    kill,
    start: async () => {
      running = await start()
    },
    remove: async () => {
      await kill()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
