/** Signing in. */
import { auth } from '../../src/api/contract/auth.ts'
import { demoPassword } from '../../server/demo/catalogue.ts'

/** A session as the console stores it. */
export interface Session {
  readonly accessToken: string
  readonly refreshToken: string
  readonly userId: string
  readonly userRole: string
  readonly login: string
}

interface Answer {
  readonly data: { access_token: string; refresh_token: string; user_id: string; user_role: string }
}

export async function signIn(url: string, login: string): Promise<Session> {
  const answer = await fetch(url + auth.login.path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ login, password: demoPassword }),
  })
  if (!answer.ok) throw new Error(`Signing in as ${login} returned ${answer.status}`)
  const { data } = (await answer.json()) as Answer
  return {
    accessToken: data.access_token,
    refreshToken: data.refresh_token,
    userId: data.user_id,
    userRole: data.user_role,
    login,
  }
}
