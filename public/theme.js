// Runs before the first paint so that a dark console never flashes light. A file of its own, because the
// content security policy forbids inline scripts.
try {
  const preferences = JSON.parse(localStorage.getItem('permeate:preferences'))
  if (preferences?.theme === 'dark') document.documentElement.classList.add('dark')
} catch {
  // Storage may be forbidden or hold something else: light, then, as it is by default.
}
