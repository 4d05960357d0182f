/** Commands on the accounts of administrators, vendors and end users. */
import * as z from 'zod/mini'
import { admins, users, vendors } from '../../api/contract/accounts.ts'
import { changesOf } from '../../api/contract/fields.ts'
import { secondFactor } from '../../api/contract/secondFactor.ts'
import type { Row } from '../../api/lists.ts'
import type { AnyItem, RowItem } from '../../store/selection.ts'
import { accountFields, companyFields } from './accountFields.ts'
import { defineCommand } from '../core/defineCommand.ts'
import type { Needs } from '../core/types.ts'
import { freshRow } from '../lists/freshRow.ts'
import { nothing } from '../core/needs.ts'
import { oneAdmin, oneVendor, someAdmins, someUsers, someVendors } from '../core/targetNeeds.ts'
import { firstPassword, newPassword, passwordsMatch } from './passwords.ts'
import { bulkOperation } from '../core/execution/operation.ts'
import { previousValues } from '../core/runs/previousValues.ts'
import {
  confirmQuestion,
  countOf,
  createPresentation,
  deletePresentation,
  doneMessage,
  editPresentation,
  nameOrCount,
} from '../core/wording.ts'

type Blockable = 'admins' | 'vendors' | 'users'
type ChangeStatus = typeof admins.changeStatusOfMany

/** Returns the commands that block and unblock accounts, which are the same for all kinds of accounts. */
const blockCommands = <E extends Blockable>(entity: E, changeStatus: ChangeStatus, needs: Needs<readonly RowItem[]>) =>
  [true, false].map(blocked =>
    defineCommand({
      entity,
      id: `${entity}.${blocked ? 'block' : 'unblock'}` as const,
      title: blocked ? 'Block' : 'Unblock',
      group: 'control',
      icon: blocked ? 'lock' : 'unlock',
      keys: blocked ? 'l' : 'u',
      effect: blocked ? 'be blocked' : 'be unblocked',
      keywords: ['status', blocked ? 'disable' : 'enable'],
      on: ['control', 'row', 'status'],
      short: blocked ? 'block' : 'unblock',
      endpoint: changeStatus,
      needs,
      operation: () => bulkOperation(changeStatus, { status: blocked }),
      undo: ({ status }) => ({ id: `${entity}.${status === true ? 'block' : 'unblock'}`, input: {} }),
      done: doneMessage(blocked ? 'Blocked' : 'Unblocked', entity),
    }),
  )

/** Returns the commands that administrators and vendors share: block, unblock, change password, delete. */
const managedCommands = <E extends 'admins' | 'vendors'>(
  entity: E,
  calls: typeof admins | typeof vendors,
  some: Needs<readonly RowItem[]>,
  one: Needs<RowItem>,
  /** Returns the company name of an account, because an account whose company has devices cannot be deleted. */
  companyOf?: (item: AnyItem) => string,
) => [
  ...blockCommands(entity, calls.changeStatusOfMany, some),
  defineCommand({
    entity,
    id: `${entity}.changePassword` as const,
    title: 'Change password',
    group: 'settings',
    icon: 'key',
    keys: 's p',
    on: ['update'],
    endpoint: calls.changePassword,
    needs: one,
    args: z.object(newPassword).check(passwordsMatch),
    async run({ id }, { password }, { call }) {
      await call(calls.changePassword, { params: { id }, body: { password } })
      return 'Password changed successfully'
    },
  }),
  defineCommand({
    entity,
    id: `${entity}.resetSecondFactor` as const,
    title: 'Reset second factor',
    group: 'control',
    icon: 'reset',
    keywords: ['two-factor authentication', '2fa', 'lost phone'],
    on: ['control'],
    endpoint: entity === 'admins' ? secondFactor.resetAdmin : secondFactor.resetVendor,
    needs: one,
    confirm: ({ name }) => ({
      title: `Reset the second factor of ${name}?`,
      text: 'All sessions of the account end. It needs only its password until a second factor is set up again.',
      action: 'Reset',
      type: undefined,
      danger: true,
    }),
    async run({ id }, _, { call }) {
      await call(entity === 'admins' ? secondFactor.resetAdmin : secondFactor.resetVendor, { params: { id } })
      return 'Second factor reset'
    },
  }),
  defineCommand({
    ...deletePresentation,
    entity,
    id: `${entity}.delete` as const,
    endpoint: calls.delete,
    needs: some,
    confirm: targets => confirmQuestion('Delete', 'They can no longer sign in.', entity, targets),
    operation: () => bulkOperation(calls.delete, {}),
    done: doneMessage('Deleted', entity),
    ...(companyOf && { blockingDevices: item => ({ column: 'company_name', search: companyOf(item) }) }),
  }),
]

export const accountCommands = [
  defineCommand({
    ...createPresentation,
    entity: 'admins',
    id: 'admins.create',
    title: 'Create admin',
    endpoint: admins.create,
    needs: nothing,
    args: z.object({ ...accountFields, ...firstPassword }).check(passwordsMatch),
    async run(_, { repeat: __, ...body }, { call }) {
      await call(admins.create, { body })
      return `Created ${body.login}`
    },
  }),
  ...managedCommands('admins', admins, someAdmins, oneAdmin),
  defineCommand({
    ...createPresentation,
    entity: 'vendors',
    id: 'vendors.create',
    title: 'Create vendor',
    endpoint: vendors.create,
    needs: nothing,
    args: z.object({ ...accountFields, ...companyFields, ...firstPassword }).check(passwordsMatch),
    async run(_, { repeat: __, ...body }, { call }) {
      await call(vendors.create, { body })
      return `Created ${body.login}`
    },
  }),
  defineCommand({
    ...editPresentation,
    entity: 'vendors',
    id: 'vendors.edit',
    title: 'Edit vendor',
    endpoint: vendors.edit,
    needs: oneVendor,
    args: changesOf({ ...accountFields, ...companyFields }),
    async run(vendor, body, { call }) {
      const { id } = vendor
      const row = await freshRow('vendors', vendor)
      await call(vendors.edit, { params: { id }, body })
      return { message: 'Vendor updated', before: previousValues(id, body, { ...row }) }
    },
    undo: input => ({ id: 'vendors.edit', input }),
  }),
  ...managedCommands('vendors', vendors, someVendors, oneVendor, item =>
    'row' in item ? (item.row as Row<'vendors'>).company_name : item.company,
  ),
  ...blockCommands('users', users.changeStatusOfMany, someUsers),
  defineCommand({
    ...deletePresentation,
    entity: 'users',
    id: 'users.delete',
    endpoint: users.deleteMany,
    needs: someUsers,
    confirm: targets => ({
      title: `Delete ${nameOrCount(targets, 'users')}?`,
      text: 'Their accounts and their access to shared devices are deleted.',
      action: `Delete ${countOf(targets.length, 'users')}`,
      type: 'DELETE',
      danger: true,
    }),
    operation: () => bulkOperation(users.deleteMany, {}),
    done: doneMessage('Deleted', 'users'),
  }),
]
