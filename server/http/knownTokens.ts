/** The queue key of a call before its caller is known: each valid token has its own, invalid ones share one. */
import type { FastifyRequest } from 'fastify'
import { addressGroup } from '../core/addressGroup.ts'

/** How many tokens are remembered: more than people and programs that call one server in an hour. */
const maxTokens = 10_000

/** The access tokens and API keys that this server found valid when they were last used. */
export interface KnownTokens {
  /**
   * Returns the turn of a call with this token. Calls with unknown tokens take turns by address, because anybody can
   * invent a thousand tokens.
   */
  turnOf(request: FastifyRequest, token: string): string
  /** Remembers a valid token, and forgets one that is no longer valid. */
  note(token: string, isValid: boolean): void
}

export function openKnownTokens(): KnownTokens {
  /** In the order of their last use. */
  const tokens = new Set<string>()
  return {
    turnOf: ({ ip }, token) => (tokens.has(token) ? token : addressGroup(ip)),
    note: (token, isValid) => {
      tokens.delete(token)
      if (!isValid) return
      tokens.add(token)
      if (tokens.size > maxTokens) tokens.delete(tokens.values().next().value!)
    },
  }
}
