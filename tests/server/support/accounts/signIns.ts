/** Accounts that sign in through the API, and the answers that they get. */
import { expect } from 'vitest'
import type { Tokens } from '../../../../src/api/contract/auth.ts'
import { hashPassword } from '../../../../server/auth/passwords.ts'
import { demoPassword } from '../../../../server/demo/catalogue.ts'
import type { TestServer } from '../harness.ts'
import { newAccount } from '../subjects.ts'

export interface Subject {
  readonly id: string
  readonly login: string
}

type Answer = Awaited<ReturnType<TestServer['call']>>

/** Returns the data of an answer, which must be a success. */
export const dataOf = <Data>(answer: Answer): Data => {
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json<{ data: Data }>().data
}

/** What proves the password of these accounts. */
export const password = { current_password: demoPassword }

/** Creates accounts at a server, and signs them in at it or at another one. */
export function signInsAt(server: TestServer) {
  const password_hash = hashPassword(demoPassword)
  const logIn = ({ login }: Pick<Subject, 'login'>, at = server, given = demoPassword) =>
    at.call('POST', '/api/v3/auth/login/dashboard', { body: { login, password: given } })
  return {
    account: async (role: 'superadmin' | 'admin' | 'vendor' = 'admin'): Promise<Subject> => {
      const id = await newAccount(server.db, role, { password_hash: await password_hash })
      return { id, login: `${id}@example.com` }
    },
    logIn,
    /** Returns the access token of an account that needs its password alone. */
    tokenOf: async (subject: Subject, at = server) => dataOf<Tokens>(await logIn(subject, at)).access_token,
    /** Returns the ticket of an account that has a second factor. */
    ticketOf: async (subject: Subject, at = server) =>
      dataOf<{ login_ticket: string }>(await logIn(subject, at)).login_ticket,
    /** Enters a code of the second factor. */
    enterCode: (ticket: string, code: string, at = server) =>
      at.call('POST', '/api/v3/auth/login/code', { headers: { 'login-ticket': ticket }, body: { code } }),
  }
}
