import { useEffect } from 'react'
import useSWR from 'swr'
import { useSnapshot } from 'valtio'
import { call } from '../../api/client.ts'
import { apiKeys, keyScopeNames, type ApiKey } from '../../api/contract/apiKeys.ts'
import type { Key } from '../../api/hooks.ts'
import { commandOf } from '../../commands/core/registry.ts'
import { hideApiKey, shownOnce } from '../../commands/people/shownOnce.ts'
import { CommandButton } from '../../commands/surfaces/buttons/CommandButton.tsx'
import { SurfaceButtons } from '../../commands/surfaces/buttons/SurfaceButtons.tsx'
import { CommandForm } from '../../commands/surfaces/forms/CommandForm.tsx'
import { run } from '../../commands/surfaces/run/run.ts'
import { formatDate, formatTimeAgo } from '../../domain/format.ts'
import { useRole } from '../../store/session.ts'
import { useFocusAfterRemoval } from '../../ui/focus/focusAfterRemoval.ts'
import { useNow } from '../../ui/useNow.ts'
import { ProfileSection, UnreadSection } from './ProfileSection.tsx'
import { useUnneededProof } from './secondFactorStatus.ts'
import { useFocusOnStep } from './useFocusOnStep.ts'

/** The account's API keys, each of which can be revoked, and a form that creates one and then shows it. */
export function ApiKeys() {
  const { data, error } = useSWR([apiKeys.list.path, null] satisfies Key, () => call(apiKeys.list))
  const role = useRole()
  const without = useUnneededProof()
  const { apiKey } = useSnapshot(shownOnce)
  useEffect(() => hideApiKey, [])
  const section = useFocusOnStep(apiKey?.key, data !== undefined)
  useFocusAfterRemoval(section, 'li button', 'api-keys')
  if (!data) return <UnreadSection id="api-keys" heading="API keys" error={error} />
  return (
    <ProfileSection
      ref={section}
      id="api-keys"
      heading="API keys"
      intro={
        <>
          <p className="mt-0.5 text-ink2">
            With a key, your programs and the command line can access what you can access. Changing your password
            revokes all of them.
          </p>
          {apiKey && <NewKey name={apiKey.name} value={apiKey.key} />}
          {data.keys.length > 0 && (
            <ul className="mt-3 divide-y divide-line border-y border-line">
              {data.keys.map(key => (
                <KeyRow key={key._id} apiKey={key} />
              ))}
            </ul>
          )}
        </>
      }
    >
      <CommandForm
        command={commandOf('apiKeys.create')}
        heading="h3"
        action="Create"
        values={{ scope: 'read', days: 30 }}
        without={without}
      />
      {role === 'admin' && (
        <p className="flex flex-wrap items-center justify-between gap-2 border-t border-line px-4 py-3 text-ink2">
          For programs that need only one vendor’s devices:
          <CommandButton command={commandOf('apiKeys.createForVendor')} />
        </p>
      )}
    </ProfileSection>
  )
}

function NewKey({ name, value }: { name: string; value: string }) {
  return (
    <div className="mt-3 grid gap-2 rounded-lg border border-line bg-sunk px-3 py-2.5">
      <p className="text-[12.5px] text-ink2">
        Copy the key <span className="font-medium break-words text-ink">{name}</span> now: it is not shown again.
      </p>
      <p aria-label="New API key" role="group" className="font-mono text-[12.5px] break-all select-all">
        {value}
      </p>
      <div className="flex flex-wrap gap-2">
        <SurfaceButtons
          on="newApiKey"
          overrides={{ 'apiKeys.copy': { label: 'Copy', primary: true }, 'apiKeys.hide': { label: 'Done' } }}
        />
      </div>
    </div>
  )
}

function KeyRow({ apiKey: { _id, name, scope, vendor, created_at, expires_at, used_at } }: { apiKey: ApiKey }) {
  const now = useNow()
  const isExpired = Date.parse(expires_at) <= now
  return (
    <li className="flex items-center gap-3 py-2">
      <div className="min-w-0 flex-1">
        <p className="truncate font-medium">{name}</p>
        <p className="text-[12px] text-ink2">
          {keyScopeNames[scope]}
          {vendor && <> · Only {vendor.company_name}</>} · Created {formatDate(created_at)} ·{' '}
          <span className={isExpired ? 'font-medium text-bad' : ''}>
            {isExpired ? 'Expired' : 'Expires'} {formatDate(expires_at)}
          </span>{' '}
          · {used_at === null ? 'Never used' : `Last used ${formatTimeAgo(used_at, now)}`}
        </p>
      </div>
      <button
        type="button"
        data-command="apiKeys.revoke"
        aria-label={`Revoke API key ${name}`}
        className="btn"
        onClick={() => void run('apiKeys.revoke', { input: { key: _id } })}
      >
        Revoke
      </button>
    </li>
  )
}
