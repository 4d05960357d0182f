import { useLocation } from 'react-router-dom'
import * as z from 'zod/mini'
import { callWithToken } from '../../api/client.ts'
import { auth } from '../../api/contract/auth.ts'
import { AccountForm } from '../../commands/surfaces/forms/AccountForm.tsx'
import { Link } from '../../ui/Link.tsx'

const noFields = z.object({})

/** Confirms an email address with the token of a confirmation mail. */
export function ConfirmScreen() {
  const query = new URLSearchParams(useLocation().search)
  return (
    <AccountForm
      title="Confirm email"
      text="Confirm that this email address is yours"
      fields={noFields}
      action="Confirm"
      onSubmit={async () => {
        await callWithToken(auth.confirmEmail, query.get('token') ?? '', {})
        return 'Email address confirmed successfully'
      }}
    >
      <Link to="/login" className="btn">
        Back to login
      </Link>
    </AccountForm>
  )
}
