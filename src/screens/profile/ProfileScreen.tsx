import { commandsOn } from '../../commands/core/registry.ts'
import { CommandForm } from '../../commands/surfaces/forms/CommandForm.tsx'
import { useProfile } from '../../api/useProfile.ts'
import { useRole } from '../../store/session.ts'
import { ApiKeys } from './ApiKeys.tsx'
import { Passkeys } from './Passkeys.tsx'
import { SecondFactor } from './SecondFactor.tsx'
import { Sessions } from './Sessions.tsx'

const forms = commandsOn('profile')

/**
 * The signed-in account's profile: names, a vendor's company, the password, the second factor, the passkeys, the sessions and
 * the API keys.
 */
export function ProfileScreen() {
  const role = useRole()
  const { data, error } = useProfile(role)
  return (
    <div className="min-h-0 flex-1 overflow-auto p-5">
      <div className="grid max-w-xl gap-4">
        <h1 tabIndex={-1} className="text-base font-semibold tracking-tight">
          Profile
        </h1>
        {role === 'superadmin' && <p className="text-ink2">The superadmin account is configured on the server.</p>}
        {error !== undefined && !data && (
          <p role="alert" className="text-bad">
            {error instanceof Error ? error.message : 'The profile could not be loaded'}
          </p>
        )}
        {data &&
          forms
            .filter(command => role && command.roles.includes(role))
            .map(command => (
              <section
                key={command.id}
                className="overflow-hidden rounded-lg border border-line bg-panel [&>form]:border-0"
              >
                <CommandForm
                  command={command}
                  heading="h2"
                  action={command.id.startsWith('profile.password') ? 'Change password' : 'Save'}
                  values={{ ...data }}
                />
              </section>
            ))}
        <SecondFactor />
        <Passkeys />
        <Sessions />
        <ApiKeys />
      </div>
    </div>
  )
}
