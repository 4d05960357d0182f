import { useEffect } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'

/**
 * Like the router's `<Navigate replace>`, but redirects again on `popstate`: going Back before the target has rendered would
 * otherwise show a blank page.
 */
export function Redirect({ path }: { path: string }) {
  const navigate = useNavigate()
  const { pathname } = useLocation()
  useEffect(() => {
    const redirect = () => void navigate(path, { replace: true })
    const onBack = () => window.location.pathname === pathname && redirect()
    redirect()
    window.addEventListener('popstate', onBack)
    return () => window.removeEventListener('popstate', onBack)
  }, [navigate, pathname, path])
  return null
}
