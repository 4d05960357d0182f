/**
 * A number beside a navigation entry, or over its icon when the navigation is collapsed. `rest` follows the number for
 * screen readers; the number itself is read too, because an entry's name contains its visible text.
 */
export function NavigationBadge(props: { number: string; rest: string; title: string; small: boolean }) {
  const { number, rest, title, small } = props
  return (
    <span
      title={title}
      className={`rounded-full bg-accent font-semibold text-accent-ink ${small ? 'absolute top-0 right-0 px-1 text-[9px]' : 'px-[5px] py-1 text-[11px] leading-none'}`}
    >
      {number}
      <span className="sr-only">{rest}</span>
    </span>
  )
}
