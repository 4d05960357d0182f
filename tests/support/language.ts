/**
 * Sets the language of dates in tests: American English with 24 hours. Tests of other languages set theirs.
 */
export const testLanguage = 'en-US-u-hc-h23'

/** Sets the language of the page, or of Node. */
export function setLanguage(language: string): void {
  Object.defineProperty(globalThis.navigator, 'language', { value: language, configurable: true })
}

setLanguage(testLanguage)
