/** Commands on the passkeys of one's own account. */
import * as z from 'zod/mini'
import { call as callServer } from '../../api/client.ts'
import { Id, withMeta } from '../../api/contract/fields.ts'
import { PasskeyName, passkeys } from '../../api/contract/passkeys.ts'
import { formatDate } from '../../domain/format.ts'
import { routes } from '../../domain/lists/routes.ts'
import { defineCommand } from '../core/defineCommand.ts'
import { nothing } from '../core/needs.ts'
import type { Choices } from '../core/types.ts'
import { accountProofOf, createPasskey, secondFactorProof } from './browserPasskeys.ts'
import { accountProof, proof } from './proof.ts'
import { showRecoveryCodes } from './shownOnce.ts'

/** Both manage the account, which is no step of a script. */
const shared = { recordable: false, group: 'account', icon: 'key', needs: nothing } as const
const keywords = ['passkey', 'webauthn', 'security key', 'fingerprint', 'two-factor authentication', 'security']

/** The passkeys whose name contains the query. */
const ownPasskeys: Choices = async (_, query, signal) => {
  const own = await callServer(passkeys.list, { signal })
  return own.passkeys
    .filter(({ name }) => name.toLowerCase().includes(query.toLowerCase()))
    .map(({ _id, name, created_at }) => ({ value: _id, name, detail: `Added ${formatDate(created_at)}` }))
}

export const passkeyCommands = [
  defineCommand({
    ...shared,
    id: 'passkeys.add',
    title: 'Add passkey',
    keywords,
    endpoint: passkeys.add,
    args: z.object({
      name: withMeta(PasskeyName, { label: 'Name', hint: 'A name to recognize it by, such as the device it is on' }),
      ...accountProof,
    }),
    async run(_, { name, ...entered }, { call, go }) {
      const options = await call(passkeys.start, { body: await accountProofOf(call, entered) })
      const credential = await createPasskey(options)
      const { recovery_codes } = await call(passkeys.add, { body: { name, credential } })
      go(routes.profile.path)
      // Otherwise earlier ones may still be shown.
      if (recovery_codes.length > 0) showRecoveryCodes(recovery_codes)
      return 'Passkey added'
    },
  }),
  defineCommand({
    ...shared,
    id: 'passkeys.remove',
    title: 'Remove passkey',
    danger: true,
    keywords,
    endpoint: passkeys.remove,
    args: z.object({ passkey: withMeta(Id, { label: 'Passkey' }), ...proof }),
    choices: { passkey: ownPasskeys },
    async run(_, { passkey, ...body }, { call }) {
      await call(passkeys.remove, { params: { id: passkey }, body: await secondFactorProof(call, body) })
      return 'Passkey removed'
    },
  }),
]
