/** Whether this is a machine of Apple’s, whose keys have other names. */
export const isApple = (): boolean => /Mac|iPhone|iPad/.test(navigator.userAgent)
