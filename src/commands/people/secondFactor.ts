/** Commands on the second factor of one's own account. */
import * as z from 'zod/mini'
import { EnteredCode, withMeta } from '../../api/contract/fields.ts'
import { secondFactor } from '../../api/contract/secondFactor.ts'
import { routes } from '../../domain/lists/routes.ts'
import { roles } from '../../domain/roles.ts'
import { accountProofOf, secondFactorProof } from './browserPasskeys.ts'
import { accountProof, codeHint, proof } from './proof.ts'
import { hideShownOnce, showRecoveryCodes, shownOnce } from './shownOnce.ts'
import { defineCommand } from '../core/defineCommand.ts'
import { nothing } from '../core/needs.ts'
import type { Needs } from '../core/types.ts'

const code = withMeta(EnteredCode, { label: 'Code', as: 'code' })

/** All manage the account, which is no step of a script. */
const shared = { recordable: false, group: 'account', icon: 'key' } as const
const keywords = ['two-factor authentication', '2fa', 'totp', 'authenticator', 'security']

/** Only the profile, where they are shown, offers these. */
const shownCommand = { ...shared, keysOnly: true, roles } as const
const waitingKey: Needs<undefined> = () =>
  shownOnce.key ? { target: undefined } : { blocked: 'Set up a second factor first' }
/** The key that waits for its first code, as the first authenticator or in the place of another one. */
const waitingKeyThat =
  (replaces: boolean, blocked: string): Needs<undefined> =>
  () =>
    shownOnce.key?.replaces === replaces ? { target: undefined } : { blocked }
const shownCodes: Needs<readonly string[]> = () =>
  shownOnce.recoveryCodes ? { target: shownOnce.recoveryCodes } : { blocked: 'No recovery codes are shown' }

/** The codes as a file has them, one per line. */
const textOf = (codes: readonly string[]) => `${codes.join('\n')}\n`

export const secondFactorCommands = [
  defineCommand({
    ...shared,
    id: 'secondFactor.start',
    title: 'Set up second factor',
    keywords,
    endpoint: secondFactor.start,
    needs: nothing,
    args: z.object(accountProof),
    async run(_, entered, { call, go }) {
      const key = await call(secondFactor.start, { body: await accountProofOf(call, entered) })
      go(routes.profile.path)
      Object.assign(shownOnce, { key: { ...key, replaces: false }, recoveryCodes: undefined })
    },
  }),
  defineCommand({
    ...shared,
    id: 'secondFactor.confirm',
    title: 'Confirm second factor',
    keywords,
    endpoint: secondFactor.confirm,
    needs: waitingKeyThat(false, 'Set up a second factor first'),
    args: z.object({ code }),
    async run(_, body, { call }) {
      const { recovery_codes } = await call(secondFactor.confirm, { body })
      showRecoveryCodes(recovery_codes)
      return 'Second factor turned on'
    },
  }),
  defineCommand({
    ...shared,
    id: 'secondFactor.startReplacement',
    title: 'Replace authenticator',
    keywords: [...keywords, 'new phone', 'another phone'],
    endpoint: secondFactor.startReplacement,
    needs: nothing,
    args: z.object(proof),
    async run(_, body, { call, go }) {
      const key = await call(secondFactor.startReplacement, { body: await secondFactorProof(call, body) })
      go(routes.profile.path)
      Object.assign(shownOnce, { key: { ...key, replaces: true }, recoveryCodes: undefined })
    },
  }),
  defineCommand({
    ...shared,
    id: 'secondFactor.confirmReplacement',
    title: 'Confirm new authenticator',
    keywords,
    endpoint: secondFactor.confirmReplacement,
    needs: waitingKeyThat(true, 'Replace the authenticator first'),
    args: z.object({ code }),
    async run(_, body, { call }) {
      await call(secondFactor.confirmReplacement, { body })
      hideShownOnce()
      return 'Authenticator replaced. Your other sessions and API keys have ended'
    },
  }),
  defineCommand({
    ...shared,
    id: 'secondFactor.renewCodes',
    title: 'Create new recovery codes',
    keywords,
    endpoint: secondFactor.renewCodes,
    needs: nothing,
    args: z.object(proof),
    async run(_, body, { call, go }) {
      const { recovery_codes } = await call(secondFactor.renewCodes, { body: await secondFactorProof(call, body) })
      go(routes.profile.path)
      shownOnce.recoveryCodes = recovery_codes
      return 'The earlier recovery codes no longer work'
    },
  }),
  defineCommand({
    ...shared,
    id: 'secondFactor.disable',
    title: 'Turn off second factor',
    danger: true,
    keywords,
    endpoint: secondFactor.disable,
    needs: nothing,
    args: z.object({
      ...proof,
      code: withMeta(proof.code, { label: 'Code', hint: `${codeHint}. Passkeys are removed too`, as: 'code' }),
    }),
    async run(_, body, { call }) {
      await call(secondFactor.disable, { body: await secondFactorProof(call, body) })
      hideShownOnce()
      return 'Second factor turned off'
    },
  }),
  defineCommand({
    ...shownCommand,
    id: 'secondFactor.cancel',
    title: 'Cancel setup of the second factor',
    icon: 'close',
    needs: waitingKey,
    run: hideShownOnce,
  }),
  defineCommand({
    ...shownCommand,
    id: 'secondFactor.downloadCodes',
    on: ['recoveryCodes'],
    title: 'Download recovery codes',
    icon: 'download',
    needs: shownCodes,
    run(codes, _, { save }) {
      save('permeate-recovery-codes.txt', new Blob([textOf(codes)], { type: 'text/plain' }))
    },
  }),
  defineCommand({
    ...shownCommand,
    id: 'secondFactor.copyCodes',
    on: ['recoveryCodes'],
    title: 'Copy recovery codes',
    icon: 'copy',
    needs: shownCodes,
    async run(codes, _, { copy }) {
      await copy(textOf(codes), 'download them instead')
      return 'Recovery codes copied'
    },
  }),
  defineCommand({
    ...shownCommand,
    id: 'secondFactor.hideCodes',
    on: ['recoveryCodes'],
    title: 'Hide recovery codes',
    icon: 'check',
    needs: shownCodes,
    run: hideShownOnce,
  }),
]
