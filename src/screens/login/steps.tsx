/** The steps after the password: a code or a passkey, or setting up the second factor that the account needs. */
import { useState } from 'react'
import * as z from 'zod/mini'
import { auth } from '../../api/contract/auth.ts'
import { withMeta } from '../../api/contract/fields.ts'
import {
  addFirstPasskey,
  beginSession,
  confirmSetUp,
  enterCode,
  usePasskey as signInWithPasskey,
  type NextStep,
} from '../../commands/people/signIn.ts'
import { errorText } from '../../api/errors.ts'
import { AccountForm } from '../../commands/surfaces/forms/AccountForm.tsx'
import { AuthenticatorKey, RecoveryCodes } from '../../ui/secondFactor.tsx'

const fields = z.object({ code: withMeta(auth.enterCode.body.shape.code, { label: 'Code' }) })
const noFields = z.object({})
const autoComplete = { code: 'one-time-code' }

type Step<Name extends NextStep['step']> = Extract<NextStep, { step: Name }> & {
  /** Returns to the password. */
  readonly onRestart: () => void
}

/** Asks for the second factor of an account: a code or a passkey. */
export function CodeStep({ login, ticket, hasPasskey, onRestart }: Step<'code'>) {
  return (
    <AccountForm
      key="code"
      title="Second factor"
      text={`${hasPasskey ? 'Use a passkey, or enter' : 'Enter'} the code from your authenticator app, or a recovery code`}
      fields={fields}
      action="Verify"
      autoComplete={autoComplete}
      onSubmit={async ({ code }) => {
        await enterCode(login, ticket, code)
        return undefined
      }}
    >
      {hasPasskey && <PasskeyButton label="Use a passkey" onClick={() => signInWithPasskey(login, ticket)} />}
      <RestartButton onClick={onRestart} />
    </AccountForm>
  )
}

/** Sets up the second factor without which the account cannot be used, and shows its recovery codes. */
export function SetUpStep({ login, password, tokens, authenticator, offersPasskeys, onRestart }: Step<'setUp'>) {
  const [codes, setCodes] = useState<readonly string[]>()
  if (codes)
    return (
      <AccountForm
        key="codes"
        title="Recovery codes"
        text="Your second factor is turned on"
        fields={noFields}
        intro={<RecoveryCodes codes={codes} />}
        action="I have saved the codes"
        onSubmit={async () => {
          beginSession(login, tokens)
          return undefined
        }}
      />
    )
  return (
    <AccountForm
      key="setUp"
      title="Set up a second factor"
      text="Your account needs one. Scan this with an authenticator app, then enter the code that it shows"
      fields={fields}
      intro={<AuthenticatorKey authenticator={authenticator} />}
      action="Turn on"
      autoComplete={autoComplete}
      onSubmit={async ({ code }) => {
        setCodes(await confirmSetUp(tokens, code))
        return undefined
      }}
    >
      {offersPasskeys && (
        <PasskeyButton
          label="Add a passkey instead"
          onClick={async () => setCodes(await addFirstPasskey(tokens, password))}
        />
      )}
      <RestartButton onClick={onRestart} />
    </AccountForm>
  )
}

/** A button for what the browser does with passkeys. A failure shows its reason. */
function PasskeyButton({ label, onClick }: { label: string; onClick: () => Promise<void> }) {
  const [isRunning, setRunning] = useState(false)
  const [failure, setFailure] = useState<string>()
  const click = async () => {
    setRunning(true)
    setFailure(undefined)
    try {
      await onClick()
    } catch (error) {
      setFailure(errorText(error))
    } finally {
      setRunning(false)
    }
  }
  return (
    <div className="mb-3 grid gap-2">
      <button
        type="button"
        className="btn !h-10 w-full justify-center"
        disabled={isRunning}
        onClick={() => void click()}
      >
        {isRunning ? 'Please wait…' : label}
      </button>
      {failure !== undefined && (
        <p role="alert" className="text-[12.5px] text-bad">
          {failure}
        </p>
      )}
    </div>
  )
}

function RestartButton({ onClick }: { onClick: () => void }) {
  return (
    <button
      type="button"
      className="inline-flex cursor-pointer items-center text-accent hover:underline touch:min-h-10"
      onClick={onClick}
    >
      Back to login
    </button>
  )
}
