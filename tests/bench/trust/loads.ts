/** Loads that one caller, or one address, puts on the server. */
import { setTimeout as wait } from 'node:timers/promises'
import { auth } from '../../../src/api/contract/auth.ts'
import { devices } from '../../../src/api/contract/devices.ts'
import { jobs } from '../../../src/api/contract/jobs.ts'
import { stream } from '../../../src/api/contract/stream.ts'
import { answerTo, headOf, nameOf } from '../answers.ts'
import { repeat } from '../browser.ts'
import { openRaw } from './rawConnections.ts'

/**
 * Signs in `count` times at once, with logins that do not exist, each from an address of its own, because those of one are
 * soon refused: each costs as much as one that does exist. Another `round` (0–255) has other logins and addresses.
 */
export const signIns = (url: string, count: number, round: number) =>
  Promise.all(
    repeat(count, index =>
      answerTo(
        fetch(url + auth.login.path, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            'x-forwarded-for': `10.${round}.${index >> 8}.${index & 255}`,
          },
          body: JSON.stringify({ login: `nobody-${round}-${index}`, password: 'a wrong password' }),
        }),
      ),
    ),
  )

/** Lists devices with `count` invented tokens, each again and again for some milliseconds. */
export async function inventedTokens(url: string, count: number, time: number): Promise<string[]> {
  const end = performance.now() + time
  const answers = await Promise.all(
    repeat(count, async index => {
      const all: string[] = []
      while (performance.now() < end)
        all.push(await answerTo(fetch(url + devices.list.path, { headers: { 'access-token': `invented-${index}` } })))
      return all
    }),
  )
  return answers.flat()
}

/** Opens `count` streams at once, divided among the tokens, and closes them after some seconds. */
export async function streams(url: string, tokens: readonly string[], count: number): Promise<string[]> {
  const ending = new AbortController()
  const opened = await Promise.all(
    repeat(count, async index => {
      try {
        const headers = { 'access-token': tokens[index % tokens.length]! }
        const answer = await fetch(url + stream.open.path, { headers, signal: ending.signal })
        return nameOf(headOf(answer))
      } catch {
        return 'no answer'
      }
    }),
  )
  await wait(2000)
  ending.abort()
  return opened
}

/** Sends `count` bodies of 2 MB at once, for a command on many devices, which takes a smaller one. */
export function oversizedBodies(url: string, token: string, count: number): Promise<string[]> {
  const ids = repeat(110_000, index => `A41C${index.toString(16).padStart(8, '0')}`)
  const body = JSON.stringify({ ids }).slice(0, 2_000_000 - 4) + '"]}'
  return post(url + devices.flush.path, token, body, count)
}

/** Sends `count` bodies of 2 MB at once: previews of a job for almost 100,000 devices, which are as large as bodies may be. */
export function largestBodies(url: string, token: string, count: number): Promise<string[]> {
  const ids = repeat(99_900, index => {
    const hex = index.toString(16).padStart(6, '0').toUpperCase()
    return `0A:00:00:${hex.slice(0, 2)}:${hex.slice(2, 4)}:${hex.slice(4)}`
  })
  const body = JSON.stringify({ command: 'reboot', ids })
  return post(`${url}${jobs.create.path}?preview=true`, token, body, count)
}

function post(url: string, token: string, body: string, count: number): Promise<string[]> {
  const headers = { 'content-type': 'application/json', 'access-token': token }
  return Promise.all(repeat(count, () => answerTo(fetch(url, { method: 'POST', headers, body }))))
}

/** Uploads one file of devices. */
export function upload(
  url: string,
  token: string,
  content: Buffer<ArrayBuffer> | string,
  name: string,
): Promise<string> {
  const form = new FormData()
  form.append('file', new Blob([content]), name)
  return answerTo(fetch(url + devices.upload.path, { method: 'POST', headers: { 'access-token': token }, body: form }))
}

/** Opens connections that send a request of an upload, a byte every second, and never finish; closes them after `time`. */
export async function slowUploads(url: string, token: string, count: number, time: number): Promise<string[]> {
  const { hostname: host, port } = new URL(url)
  const slow = await openRaw(
    count,
    { host, port: Number(port) },
    `POST ${devices.upload.path} HTTP/1.1\r\nhost: x\r\naccess-token: ${token}\r\n` +
      'content-type: multipart/form-data; boundary=x\r\ncontent-length: 5000000\r\n\r\n' +
      '--x\r\ncontent-disposition: form-data; name="file"; filename="a.csv"\r\n\r\n',
  )
  const trickle = setInterval(() => slow.send('a'), 1000)
  await wait(time)
  clearInterval(trickle)
  slow.close()
  return slow.answers()
}
