import { expect } from 'vitest'
import type { AuditEntry } from '../../../../src/api/contract/audit.ts'
import type { TestServer } from '../harness.ts'

/** Returns a function that reads a page of the history as the administrator whose token this is. */
export const historyReader =
  (call: TestServer['call'], token: string) =>
  async (query: Record<string, string> = {}): Promise<{ count: number; data: AuditEntry[] }> => {
    const answer = await call('GET', `/api/v3/audit?${new URLSearchParams(query)}`, { token })
    expect(answer.statusCode).toBe(200)
    return answer.json<{ data: { count: number; data: AuditEntry[] } }>().data
  }
