import { useState } from 'react'
import { useSnapshot } from 'valtio'
import * as z from 'zod/mini'
import { auth } from '../../api/contract/auth.ts'
import { withMeta } from '../../api/contract/fields.ts'
import { signIn, type NextStep } from '../../commands/people/signIn.ts'
import { AccountForm } from '../../commands/surfaces/forms/AccountForm.tsx'
import { connection } from '../../store/connection.ts'
import { Link } from '../../ui/Link.tsx'
import { CodeStep, SetUpStep } from './steps.tsx'

const { login, password } = auth.login.body.shape
const fields = z.object({
  login: withMeta(login, { label: 'Login' }),
  password: withMeta(password, { label: 'Password', as: 'secret' }),
})

/** The sign-in form, and the steps that some accounts need after it. A failure shows its reason and keeps the input. */
export function LoginScreen() {
  const { sessionEnded } = useSnapshot(connection)
  const [next, setNext] = useState<NextStep>()
  const restart = () => setNext(undefined)
  if (next?.step === 'code') return <CodeStep {...next} onRestart={restart} />
  if (next?.step === 'setUp') return <SetUpStep {...next} onRestart={restart} />
  return (
    <AccountForm
      title="Permeate"
      text="Monitor and manage your reverse-osmosis devices"
      notice={sessionEnded ? 'The session has ended. Sign in again.' : undefined}
      fields={fields}
      action="Login"
      autoComplete={{ password: 'current-password' }}
      onSubmit={async values => {
        setNext(await signIn(values.login, values.password))
        return undefined
      }}
    >
      <Link to="/forgot" className="inline-flex items-center text-accent hover:underline touch:min-h-10">
        Forgot password
      </Link>
    </AccountForm>
  )
}
