/** Names the program and the device of a `User-Agent` header, for people who look through their sessions. */
import Bowser from 'bowser'

/** Returns for example `Firefox on Windows` or `Safari on iPhone`; the name of the program if there is only that. */
export function deviceName(userAgent: string): string {
  if (userAgent === '') return 'Unknown device'
  const { browser, os, platform } = Bowser.parse(userAgent)
  // `curl/8.5.0` names a program, though no browser.
  const program = browser.name || /^[\w.-]+/.exec(userAgent)?.[0] || 'Unknown program'
  const device = platform.model === 'iPhone' || platform.model === 'iPad' ? platform.model : os.name
  return device ? `${program} on ${device}` : program
}
