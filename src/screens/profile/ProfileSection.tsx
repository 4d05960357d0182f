import type { ReactNode, Ref } from 'react'

interface Props {
  /** The id of the heading, which names the section. */
  readonly id: string
  readonly heading: ReactNode
  /** What the section is for, and what there is. */
  readonly intro: ReactNode
  /** Forms and parts below, each with a line above it. */
  readonly children: ReactNode
  readonly ref?: Ref<HTMLElement>
}

/** A section of the profile: its heading and introduction, and below them forms, which are part of its frame. */
export const ProfileSection = ({ id, heading, intro, children, ref }: Props) => (
  <section
    ref={ref}
    aria-labelledby={id}
    className="overflow-hidden rounded-lg border border-line bg-panel [&_form]:border-0 [&_form]:border-t"
  >
    <div className="px-4 py-3.5">
      <h2 id={id} tabIndex={-1} className="flex items-center gap-2 text-[12.5px] font-semibold">
        {heading}
      </h2>
      {intro}
    </div>
    {children}
  </section>
)
