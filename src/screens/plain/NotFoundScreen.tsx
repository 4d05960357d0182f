import { useRole } from '../../store/session.ts'
import { Link } from '../../ui/Link.tsx'

/** The screen for unknown paths. */
export function NotFoundScreen() {
  const role = useRole()
  return (
    <div className="grid h-full place-content-center justify-items-center gap-3 p-8 text-center">
      <h1 tabIndex={-1} className="text-lg font-semibold">
        Not found
      </h1>
      <p className="text-ink2">There is no page at this address.</p>
      <Link
        to="/"
        data-command={role && (role === 'superadmin' ? 'go.admins' : 'go.devices')}
        className="btn btn-primary"
      >
        Go home
      </Link>
    </div>
  )
}
