/**
 * Moves the focus from a field to the screen's heading. After a mere blur, the dialog library would restore the focus to
 * the field when the next dialog closes.
 */
export function moveFocusToHeading(field: HTMLElement): void {
  const heading = document.querySelector<HTMLElement>('main h1')
  if (heading) heading.focus({ preventScroll: true })
  else field.blur()
}
