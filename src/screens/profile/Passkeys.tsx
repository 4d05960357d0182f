import { useRef } from 'react'
import useSWR from 'swr'
import { call } from '../../api/client.ts'
import { passkeys, type Passkey } from '../../api/contract/passkeys.ts'
import type { Key } from '../../api/hooks.ts'
import { commandOf } from '../../commands/core/registry.ts'
import { CommandForm } from '../../commands/surfaces/forms/CommandForm.tsx'
import { run } from '../../commands/surfaces/run/run.ts'
import { formatDate, formatTimeAgo } from '../../domain/format.ts'
import { useFocusAfterRemoval } from '../../ui/focus/focusAfterRemoval.ts'
import { useNow } from '../../ui/useNow.ts'
import { ProfileSection, UnreadSection } from './ProfileSection.tsx'
import { useUnneededProof } from './secondFactorStatus.ts'

/** The account's passkeys, each of which can be removed, and a form that adds one. */
export function Passkeys() {
  const { data, error } = useSWR([passkeys.list.path, null] satisfies Key, () => call(passkeys.list))
  const without = useUnneededProof()
  const section = useRef<HTMLElement>(null)
  useFocusAfterRemoval(section, 'li button', 'passkeys')
  if (!data) return <UnreadSection id="passkeys" heading="Passkeys" error={error} />
  return (
    <ProfileSection
      ref={section}
      id="passkeys"
      heading="Passkeys"
      intro={
        <>
          <p className="mt-0.5 text-ink2">
            Instead of a code, use the fingerprint, face or PIN of a device, or a security key, after your password.
          </p>
          {data.unavailable !== null && <p className="mt-2 text-warn">{data.unavailable}</p>}
          {data.passkeys.length > 0 && (
            <ul className="mt-3 divide-y divide-line border-y border-line">
              {data.passkeys.map(passkey => (
                <PasskeyRow key={passkey._id} passkey={passkey} />
              ))}
            </ul>
          )}
        </>
      }
    >
      {data.unavailable === null && (
        <CommandForm command={commandOf('passkeys.add')} heading="h3" action="Add" without={without} />
      )}
    </ProfileSection>
  )
}

function PasskeyRow({ passkey: { _id, name, created_at, used_at } }: { passkey: Passkey }) {
  const now = useNow()
  return (
    <li className="flex items-center gap-3 py-2">
      <div className="min-w-0 flex-1">
        <p className="truncate font-medium">{name}</p>
        <p className="text-[12px] text-ink2">
          Added {formatDate(created_at)} ·{' '}
          {used_at === null ? 'Never used' : `Last used ${formatTimeAgo(used_at, now)}`}
        </p>
      </div>
      <button
        type="button"
        data-command="passkeys.remove"
        aria-label={`Remove passkey ${name}`}
        className="btn"
        onClick={() =>
          void run('passkeys.remove', {
            start: { input: { passkey: _id }, names: { passkey: name }, optional: true, needsEnter: true },
          })
        }
      >
        Remove
      </button>
    </li>
  )
}
