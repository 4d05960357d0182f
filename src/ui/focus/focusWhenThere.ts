/** Focuses what a command has asked to be shown. It may still have to be loaded; two seconds later a person is elsewhere. */
export function focusWhenThere(selector: string, frames = 120): void {
  requestAnimationFrame(() => {
    const found = document.querySelector<HTMLElement>(selector)
    if (found) found.focus()
    else if (frames > 0) focusWhenThere(selector, frames - 1)
  })
}
