import { Link } from 'react-router-dom'

/** For every path that is no screen. */
export function NotFoundScreen() {
  return (
    <div className="grid h-full place-content-center justify-items-center gap-3 p-8 text-center">
      <h1 tabIndex={-1} className="text-lg font-semibold">
        Not found
      </h1>
      <p className="text-ink2">There is no screen at this address.</p>
      <Link to="/" className="btn btn-primary">
        Go to the start
      </Link>
    </div>
  )
}
