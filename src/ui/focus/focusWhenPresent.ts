/**
 * Focuses an element once it exists, as it may still be loading. Gives up after `frames`, two seconds, when a person
 * has moved on.
 */
export function focusWhenPresent(selector: string, frames = 120): void {
  requestAnimationFrame(() => {
    const found = document.querySelector<HTMLElement>(selector)
    if (found) found.focus()
    else if (frames > 0) focusWhenPresent(selector, frames - 1)
  })
}
