import type { RealServer } from './realServer.ts'
import { signIn } from './session.ts'

export type Call = <Data>(method: string, path: string, body?: object) => Promise<Data>

/**
 * Returns a function that calls the API as an administrator and returns the response's `data`. It signs in again when its
 * session has expired.
 */
export async function callsOf({ url }: Pick<RealServer, 'url'>): Promise<Call> {
  let { accessToken } = await signIn(url, 'admin')
  const call: Call = async <Data>(method: string, path: string, body?: object) => {
    const headers = { 'access-token': accessToken, ...(body && { 'content-type': 'application/json' }) }
    const answer = await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
    if (answer.status === 401) {
      accessToken = (await signIn(url, 'admin')).accessToken
      return call<Data>(method, path, body)
    }
    const content = (await answer.json()) as { readonly data: Data }
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(content)}`)
    return content.data
  }
  return call
}

/** Returns the milliseconds of a call, and its result. */
export async function timed<Result>(work: () => Promise<Result>): Promise<readonly [number, Result]> {
  const started = performance.now()
  const result = await work()
  return [performance.now() - started, result]
}
