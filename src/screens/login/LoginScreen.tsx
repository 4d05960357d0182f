import { Link } from 'react-router-dom'
import { useSnapshot } from 'valtio'
import * as z from 'zod/mini'
import { auth } from '../../api/contract/auth.ts'
import { withMeta } from '../../api/contract/fields.ts'
import { beginSession } from '../../commands/people/session.ts'
import { AccountForm } from '../../commands/surfaces/forms/AccountForm.tsx'
import { connection } from '../../store/connection.ts'

const { login, password } = auth.login.body.shape
const fields = z.object({
  login: withMeta(login, { label: 'Login' }),
  password: withMeta(password, { label: 'Password', as: 'secret' }),
})

/** The sign-in form. A failure shows its reason and keeps the input. */
export function LoginScreen() {
  const { sessionEnded } = useSnapshot(connection)
  return (
    <AccountForm
      title="Permeate"
      text="Monitor and manage your reverse-osmosis devices"
      notice={sessionEnded ? 'The session has ended. Sign in again.' : undefined}
      fields={fields}
      action="Login"
      autoComplete={{ password: 'current-password' }}
      onSubmit={async values => {
        await beginSession(values.login, values.password)
        return undefined
      }}
    >
      <Link to="/forgot" className="inline-flex items-center text-accent hover:underline touch:min-h-10">
        Forgot password
      </Link>
    </AccountForm>
  )
}
