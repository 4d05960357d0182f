/**
 * Takes the focus out of a field, to where it is after a screen has been opened. Merely blurred, the field would get it
 * back from the next dialog that closes, whose library remembers what had it last.
 */
export function leaveField(field: HTMLElement): void {
  const heading = document.querySelector<HTMLElement>('main h1')
  if (heading) heading.focus({ preventScroll: true })
  else field.blur()
}
