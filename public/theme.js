// Runs before the first paint so that a dark console never flashes light. A file of its own, because the
// content security policy forbids inline scripts.
try {
  const preferences = JSON.parse(localStorage.getItem('permeate:preferences'))
  if (preferences?.theme === 'dark') document.documentElement.classList.add('dark')
} catch {
  // Storage is blocked or its content is invalid: the theme stays light, the default.
}
