/** Commands on the sessions of one's own account. */
import * as z from 'zod/mini'
import { call as callServer } from '../../api/client.ts'
import { Id, withMeta } from '../../api/contract/fields.ts'
import { ownSessions, type OwnSession } from '../../api/contract/ownSessions.ts'
import { formatTimeAgo } from '../../domain/format.ts'
import { defineCommand } from '../core/defineCommand.ts'
import { nothing } from '../core/needs.ts'
import type { Choices } from '../core/types.ts'

const detailOf = ({ address, seen_at }: OwnSession) =>
  [address, formatTimeAgo(seen_at, Date.now())].filter(Boolean).join(' · ')

/** The other sessions whose device or address contains the query. */
const otherSessions: Choices = async (_, query, signal) => {
  const { sessions } = await callServer(ownSessions.list, { signal })
  return sessions
    .filter(({ current }) => !current)
    .map(session => ({ value: session._id, name: session.device, detail: detailOf(session) }))
    .filter(({ name, detail }) => `${name} ${detail}`.toLowerCase().includes(query.toLowerCase()))
}

export const ownSessionCommands = [
  defineCommand({
    id: 'sessions.end',
    title: 'End session',
    recordable: false,
    group: 'account',
    icon: 'logout',
    keywords: ['sign out', 'device', 'revoke'],
    endpoint: ownSessions.end,
    needs: nothing,
    args: z.object({ session: withMeta(Id, { label: 'Session' }) }),
    choices: { session: otherSessions },
    async run(_, { session }, { call }) {
      await call(ownSessions.end, { params: { id: session } })
      return 'Session ended'
    },
  }),
  defineCommand({
    id: 'sessions.endOthers',
    on: ['sessions'],
    title: 'End all other sessions',
    recordable: false,
    group: 'account',
    icon: 'logout',
    keywords: ['sign out everywhere', 'devices', 'revoke'],
    endpoint: ownSessions.endOthers,
    needs: nothing,
    confirm: () => ({
      title: 'End all other sessions?',
      text: 'All other browsers and devices are signed out of your account.',
      action: 'End sessions',
      type: undefined,
      danger: true,
    }),
    async run(_, __, { call }) {
      const { count } = await call(ownSessions.endOthers)
      return count === 1 ? '1 session ended' : `${count} sessions ended`
    },
  }),
]
