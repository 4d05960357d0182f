import type { Words } from '../../commands/jobs/inputText.ts'

/** The arguments of a job's command. */
export function InputWords({ words }: { words: readonly Words[] }) {
  if (words.length === 0) return null
  return (
    <dl className="flex flex-wrap gap-1.5">
      {words.map(({ label, value }) => (
        <div key={label} className="flex max-w-full gap-1.5 rounded-[5px] bg-mute-soft px-1.5 py-0.5 text-[12px]">
          <dt className="text-ink2">{label}</dt>
          <dd className="min-w-0 truncate font-medium">{value}</dd>
        </div>
      ))}
    </dl>
  )
}
