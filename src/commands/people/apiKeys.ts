/** Commands on the API keys of one's own account. */
import * as z from 'zod/mini'
import { mutate } from 'swr'
import { cachedData } from '../../api/cache.ts'
import { call as callServer } from '../../api/client.ts'
import { apiKeys, KeyName, keyLifetimes, keyScopeNames, keyScopes, type ApiKey } from '../../api/contract/apiKeys.ts'
import { Id, withMeta } from '../../api/contract/fields.ts'
import type { Key } from '../../api/hooks.ts'
import { formatDate } from '../../domain/format.ts'
import { routes } from '../../domain/lists/routes.ts'
import { roles } from '../../domain/roles.ts'
import { accountProofOf } from './browserPasskeys.ts'
import { accountProof } from './proof.ts'
import { hideApiKey, shownOnce } from './shownOnce.ts'
import { vendorChoices } from '../arguments/choices.ts'
import { defineCommand } from '../core/defineCommand.ts'
import { nothing } from '../core/needs.ts'
import type { Choices, Needs, Services } from '../core/types.ts'

/** All manage the account, which is no step of a script. */
const shared = { recordable: false, group: 'account', icon: 'key' } as const
const keywords = ['api key', 'token', 'personal access token', 'program', 'script', 'command line', 'security']

/** Only the profile, where the new key is shown, offers these. */
const shownCommand = { ...shared, keysOnly: true, roles } as const
const shownKey: Needs<string> = () =>
  shownOnce.apiKey ? { target: shownOnce.apiKey.key } : { blocked: 'No API key is shown' }

/** The cache key of the account's API keys. */
const listKey = [apiKeys.list.path, null] satisfies Key

/** The keys whose name contains the query. */
const ownKeys: Choices = async (_, query, signal) => {
  const list = await callServer(apiKeys.list, { signal })
  await mutate(listKey, list, { revalidate: false })
  return list.keys
    .filter(({ name }) => name.toLowerCase().includes(query.toLowerCase()))
    .map(key => ({ value: key._id, name: key.name, detail: detailOf(key) }))
}

/** Returns the name of a key that the profile shows or the palette has listed. */
const nameOf = (id: string): string | undefined =>
  cachedData<{ readonly keys: readonly ApiKey[] }>(listKey)?.keys.find(({ _id }) => _id === id)?.name

const detailOf = ({ scope, vendor, expires_at }: ApiKey) =>
  [keyScopeNames[scope], ...(vendor ? [vendor.company_name] : []), `until ${formatDate(expires_at)}`].join(' · ')

const NewKey = z.object({
  name: withMeta(KeyName, { label: 'Name', hint: 'Where you use it, such as nightly export' }),
  scope: withMeta(z.enum(keyScopes), { label: 'Access', names: keyScopes.map(scope => keyScopeNames[scope]) }),
  days: withMeta(z.literal(keyLifetimes), {
    label: 'Expires in',
    names: keyLifetimes.map(days => (days === 365 ? '1 year' : `${days} days`)),
  }),
  ...accountProof,
})

/** Creates a key, which the profile then shows once. `vendor` limits it to what that vendor may see and do. */
async function createKey(
  { current_password, code, ...key }: z.output<typeof NewKey> & { readonly vendor?: string },
  { call, go }: Services,
): Promise<string> {
  const proved = await accountProofOf(call, { current_password, code })
  const created = await call(apiKeys.create, { body: { ...key, ...proved } })
  go(routes.profile.path)
  shownOnce.apiKey = { name: key.name, key: created.key }
  return 'API key created'
}

export const apiKeyCommands = [
  defineCommand({
    ...shared,
    id: 'apiKeys.create',
    title: 'Create API key',
    keywords,
    endpoint: apiKeys.create,
    needs: nothing,
    args: NewKey,
    run: (_, input, services) => createKey(input, services),
  }),
  defineCommand({
    ...shared,
    id: 'apiKeys.createForVendor',
    title: 'Create API key for one vendor',
    keywords,
    roles: ['admin'],
    endpoint: apiKeys.create,
    needs: nothing,
    args: z.extend(z.object({ vendor: withMeta(Id, { label: 'Vendor' }) }), NewKey.shape),
    choices: { vendor: vendorChoices },
    run: (_, input, services) => createKey(input, services),
  }),
  defineCommand({
    ...shared,
    id: 'apiKeys.revoke',
    title: 'Revoke API key',
    danger: true,
    keywords,
    endpoint: apiKeys.revoke,
    needs: nothing,
    args: z.object({ key: withMeta(Id, { label: 'API key' }) }),
    choices: { key: ownKeys },
    confirm: (_, { key }) => ({
      title: `Revoke ${nameOf(key) ?? 'this API key'}?`,
      text: 'Programs that use it are refused from now on. It cannot be restored.',
      action: 'Revoke',
      type: undefined,
      danger: true,
    }),
    async run(_, { key }, { call }) {
      await call(apiKeys.revoke, { params: { id: key } })
      return 'API key revoked'
    },
  }),
  defineCommand({
    ...shownCommand,
    id: 'apiKeys.copy',
    on: ['newApiKey'],
    title: 'Copy API key',
    icon: 'copy',
    needs: shownKey,
    async run(key, _, { copy }) {
      await copy(key, 'select the key and copy it yourself')
      return 'API key copied'
    },
  }),
  defineCommand({
    ...shownCommand,
    id: 'apiKeys.hide',
    on: ['newApiKey'],
    title: 'Hide API key',
    icon: 'check',
    needs: shownKey,
    run: hideApiKey,
  }),
]
