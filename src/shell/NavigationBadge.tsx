/** A number beside a navigation entry, or over its icon when the navigation is collapsed. */
export function NavigationBadge({ number, meaning, small }: { number: string; meaning: string; small: boolean }) {
  return (
    <span
      title={meaning}
      className={`rounded-full bg-accent font-semibold text-accent-ink ${small ? 'absolute top-0 right-0 px-1 text-[9px]' : 'px-[7px] py-1 text-[11px] leading-none'}`}
    >
      <span aria-hidden="true">{number}</span>
      <span className="sr-only">{meaning}</span>
    </span>
  )
}
