/** Commands on one's own account. */
import * as z from 'zod/mini'
import { admins, vendors } from '../../api/contract/accounts.ts'
import { changesOf, EnteredPassword, withMeta } from '../../api/contract/fields.ts'
import { session } from '../../store/session.ts'
import { accountFields, companyFields } from './accountFields.ts'
import { defineCommand } from '../core/defineCommand.ts'
import { nothing } from '../core/needs.ts'
import { newPassword, passwordsMatch } from './passwords.ts'

const passwords = z
  .object({ current_password: withMeta(EnteredPassword, { label: 'Current password', as: 'secret' }), ...newPassword })
  .check(passwordsMatch)

/** The fields of one's own account. Recovery mails go to the login, so the server asks for the password to change it. */
const ownFields = {
  ...accountFields,
  current_password: withMeta(EnteredPassword, {
    label: 'Current password',
    as: 'secret',
    hint: 'Only needed to change the login.',
  }),
}
const loginIsProved = z.refine<{ login?: string; current_password?: string }>(
  ({ login, current_password }) => login === undefined || current_password !== undefined,
  {
    error: 'is required',
    path: ['current_password'],
    // A login that is invalid anyway needs no proof.
    when: ({ issues }) => issues.length === 0,
  },
)

/** Shows a changed login in the top bar at once. */
const showLogin = (login: string | undefined) => {
  if (login !== undefined) session.login = login
}

const changePassword = (calls: typeof admins | typeof vendors, role: 'admin' | 'vendor') =>
  defineCommand({
    id: `profile.password.${role}`,
    title: 'Change password',
    group: 'account',
    icon: 'key',
    on: ['profile'],
    endpoint: calls.changeOwnPassword,
    needs: nothing,
    args: passwords,
    async run(_, { current_password, password }, { call }) {
      await call(calls.changeOwnPassword, { body: { current_password, password } })
      return 'Password changed successfully'
    },
  })

export const profileCommands = [
  defineCommand({
    id: 'profile.edit.admin',
    title: 'Edit profile',
    group: 'account',
    icon: 'profile',
    on: ['profile'],
    endpoint: admins.editProfile,
    needs: nothing,
    args: changesOf(ownFields).check(loginIsProved),
    async run(_, body, { call }) {
      await call(admins.editProfile, { body })
      showLogin(body.login)
      return 'Profile updated successfully'
    },
  }),
  defineCommand({
    id: 'profile.edit.vendor',
    title: 'Edit profile',
    group: 'account',
    icon: 'profile',
    on: ['profile'],
    endpoint: vendors.editProfile,
    needs: nothing,
    args: changesOf({ ...ownFields, ...companyFields }).check(loginIsProved),
    async run(_, body, { call }) {
      await call(vendors.editProfile, { body })
      showLogin(body.login)
      return 'Profile updated successfully'
    },
  }),
  changePassword(admins, 'admin'),
  changePassword(vendors, 'vendor'),
]
