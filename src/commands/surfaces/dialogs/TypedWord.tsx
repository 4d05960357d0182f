/** A field for the word that has to be typed to confirm a destructive command. */
export function TypedWord(props: { word: string; typed: string; onTyped: (typed: string) => void }) {
  const { word, typed, onTyped } = props
  return (
    <label className="mt-3.5 grid gap-1.5 text-ink2">
      <span aria-hidden="true">
        Type <b className="font-mono text-ink">{word}</b> to confirm.
      </span>
      <input
        aria-label={`Type ${word} to confirm`}
        className="input w-full font-mono"
        autoFocus
        autoComplete="off"
        spellCheck={false}
        value={typed}
        onChange={event => onTyped(event.target.value)}
      />
    </label>
  )
}
