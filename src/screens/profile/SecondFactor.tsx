import { useEffect, type ReactNode } from 'react'
import { useSnapshot } from 'valtio'
import type { CommandId } from '../../commands/core/commandId.ts'
import { commandOf } from '../../commands/core/registry.ts'
import { CommandButton } from '../../commands/surfaces/buttons/CommandButton.tsx'
import { SurfaceButtons } from '../../commands/surfaces/buttons/SurfaceButtons.tsx'
import { CommandForm } from '../../commands/surfaces/forms/CommandForm.tsx'
import { hideShownOnce, shownOnce } from '../../commands/people/shownOnce.ts'
import { AuthenticatorKey, RecoveryCodes } from '../../ui/secondFactor.tsx'
import { ProfileSection, UnreadSection } from './ProfileSection.tsx'
import { useSecondFactor, useUnneededProof } from './secondFactorStatus.ts'
import { useFocusOnStep } from './useFocusOnStep.ts'

/** The account's second factor: setting it up, its recovery codes, and turning it off. */
export function SecondFactor() {
  const { data, error } = useSecondFactor()
  const without = useUnneededProof()
  const { key, recoveryCodes } = useSnapshot(shownOnce)
  useEffect(() => hideShownOnce, [])
  const section = useFocusOnStep(recoveryCodes ? 'codes' : key && 'key', data !== undefined)
  if (!data) return <UnreadSection id="second-factor" heading="Second factor" error={error} />
  const { enabled, authenticator, required, recovery_codes: left } = data
  return (
    <ProfileSection
      ref={section}
      id="second-factor"
      heading={
        <>
          Second factor
          <span className={`text-[12px] font-medium ${enabled ? 'text-ok' : 'text-ink3'}`}>
            {enabled ? 'On' : 'Off'}
          </span>
        </>
      }
      intro={
        <p className="mt-0.5 text-ink2">
          {enabled
            ? `You sign in with your password and ${authenticator ? 'a code from your authenticator app' : 'a passkey'}. ${leftText(left)}`
            : 'Sign in with your password and a code from an authenticator app on your phone, or a passkey.'}
          {required && ' Your account needs one.'}
        </p>
      }
    >
      {recoveryCodes ? (
        <Part>
          <RecoveryCodes codes={recoveryCodes} />
          <div className="mt-3 flex flex-wrap gap-2">
            <SurfaceButtons
              on="recoveryCodes"
              overrides={{
                'secondFactor.downloadCodes': { label: 'Download' },
                'secondFactor.copyCodes': { label: 'Copy' },
                'secondFactor.hideCodes': { label: 'Done', primary: true },
              }}
            />
          </div>
        </Part>
      ) : key ? (
        <>
          <Part>
            <p className="mb-3 text-ink2">
              {key.replaces
                ? 'Scan the code with the new authenticator app, then enter the code that it shows. Until then, codes of the present one are valid. Afterwards, your other sessions and API keys end.'
                : 'Scan the code with your authenticator app, then enter the code that it shows.'}
            </p>
            <AuthenticatorKey authenticator={key} />
          </Part>
          {key.replaces ? (
            <Form id="secondFactor.confirmReplacement" action="Replace" />
          ) : (
            <Form id="secondFactor.confirm" action="Turn on" />
          )}
          <div className="px-4 pb-3.5">
            <CommandButton command={commandOf('secondFactor.cancel')} label="Cancel setup" />
          </div>
        </>
      ) : enabled ? (
        <>
          <Form
            {...(authenticator
              ? { id: 'secondFactor.startReplacement', action: 'Replace' }
              : { id: 'secondFactor.start', action: 'Set up' })}
          />
          <Form id="secondFactor.renewCodes" action="Create codes" />
          {!required && <Form id="secondFactor.disable" action="Turn off" />}
        </>
      ) : (
        <Form id="secondFactor.start" action="Set up" without={without} />
      )}
    </ProfileSection>
  )
}

const leftText = (left: number) => `${left === 1 ? '1 recovery code is' : `${left} recovery codes are`} left.`

const Part = ({ children }: { children: ReactNode }) => (
  <div className="border-t border-line px-4 py-3.5">{children}</div>
)

const Form = ({ id, ...props }: { id: CommandId; action: string; without?: readonly string[] }) => (
  <CommandForm command={commandOf(id)} heading="h3" {...props} />
)
