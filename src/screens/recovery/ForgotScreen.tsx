import toast from 'react-hot-toast/headless'
import * as z from 'zod/mini'
import { call } from '../../api/client.ts'
import { auth } from '../../api/contract/auth.ts'
import { withMeta } from '../../api/contract/fields.ts'
import { AccountForm } from '../../commands/surfaces/forms/AccountForm.tsx'
import { Link } from '../../ui/Link.tsx'

const fields = z.object({ login: withMeta(auth.forgotPassword.body.shape.login, { label: 'Login' }) })
const sent = 'Email has been sent to the specified email address'

/** Requests an email with a link to set a new password. */
export function ForgotScreen() {
  return (
    <AccountForm
      title="Forgot password"
      text="We will email you a link to set a new password"
      fields={fields}
      action="Reset password"
      onSubmit={async body => {
        await call(auth.forgotPassword, { body })
        toast.success(sent)
        return sent
      }}
    >
      <Link to="/login" className="btn">
        Back
      </Link>
    </AccountForm>
  )
}
