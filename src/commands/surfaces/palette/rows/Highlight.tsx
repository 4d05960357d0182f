import { highlightRanges } from '../../../arguments/rank.ts'

/** Renders a text with the parts that match the query highlighted. */
export function Highlight({ text, query }: { text: string; query: string }) {
  const marks = highlightRanges(query, text)
  if (marks.length === 0) return <>{text}</>
  return (
    <>
      {marks.map(([from, to], index) => (
        <span key={from}>
          {text.slice(marks[index - 1]?.[1] ?? 0, from)}
          <mark className="bg-transparent font-semibold text-accent">{text.slice(from, to)}</mark>
        </span>
      ))}
      {text.slice(marks.at(-1)?.[1])}
    </>
  )
}
