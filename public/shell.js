// Runs before the first paint, so that a dark console never flashes light, and shows the frame of the console while its
// code loads. A file of its own, because the content security policy forbids inline scripts.
{
  const stored = name => {
    try {
      return JSON.parse(localStorage.getItem(`permeate:${name}`)) ?? {}
    } catch {
      // Storage is blocked or its content is invalid: the defaults apply.
      return {}
    }
  }
  const { classList, dataset } = document.documentElement
  if (stored('preferences').theme === 'dark') classList.add('dark')

  const { accessToken, userRole } = stored('session')
  // Links of mails open screens without the frame.
  if (accessToken && !/^\/(email|password)/.test(location.pathname)) {
    dataset.shell = location.pathname === '/devices' && userRole !== 'superadmin' ? 'devices' : 'frame'
    const { navOpen, panelOpen, panelWidth } = stored('layout')
    if (navOpen === false) dataset.shellNav = 'collapsed'
    dataset.shellPanel = panelOpen === false ? 'closed' : (panelWidth ?? 'medium')
  }
}
