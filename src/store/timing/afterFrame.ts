/** Calls `act` after the next frame has been drawn; in a hidden tab, once it is visible. */
export function afterFrame(act: () => void): void {
  requestAnimationFrame(() => setTimeout(act))
}
