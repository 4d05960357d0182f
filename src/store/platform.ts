/** Whether this is an Apple device, whose modifier keys have other names. */
export const isApple = (): boolean => /Mac|iPhone|iPad/.test(navigator.userAgent)

/** Whether the main pointer is a finger. */
export const isTouch = (): boolean => window.matchMedia('(pointer: coarse)').matches
