import { useLocation } from 'react-router-dom'
import * as z from 'zod/mini'
import { callWithToken } from '../../api/client.ts'
import { auth } from '../../api/contract/auth.ts'
import { newPassword, passwordsMatch } from '../../commands/people/passwords.ts'
import { AccountForm } from '../../commands/surfaces/forms/AccountForm.tsx'
import { Link } from '../../ui/Link.tsx'

const fields = z.object(newPassword).check(passwordsMatch)

/** Sets a new password with the token of a recovery mail. */
export function RestoreScreen() {
  const query = new URLSearchParams(useLocation().search)
  return (
    <AccountForm
      title="Restore password"
      text="Choose a new password of at least 8 characters"
      fields={fields}
      action="Set new password"
      onSubmit={async ({ password }) => {
        await callWithToken(auth.restorePassword, query.get('token') ?? '', { password })
        return 'Password changed successfully'
      }}
    >
      <Link to="/login" className="btn">
        Back to login
      </Link>
    </AccountForm>
  )
}
