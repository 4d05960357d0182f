import { useEffect } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'

/**
 * Like the router's `<Navigate replace>`, but redirects again on `popstate`: going Back before the target has rendered would
 * otherwise show a blank page. `state` is kept with the history entry.
 */
export function Redirect({ path, state }: { path: string; state?: unknown }) {
  const navigate = useNavigate()
  const { pathname } = useLocation()
  useEffect(() => {
    const redirect = () => void navigate(path, { replace: true, state })
    const onBack = () => window.location.pathname === pathname && redirect()
    redirect()
    window.addEventListener('popstate', onBack)
    return () => window.removeEventListener('popstate', onBack)
  }, [navigate, pathname, path, state])
  return null
}
