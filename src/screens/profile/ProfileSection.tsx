import type { ReactNode, Ref } from 'react'
import { commandOf } from '../../commands/core/registry.ts'
import { CommandButton } from '../../commands/surfaces/buttons/CommandButton.tsx'

interface Props {
  /** The id of the heading, which names the section. */
  readonly id: string
  readonly heading: ReactNode
  /** What the section is for, and what there is. */
  readonly intro: ReactNode
  /** Forms and parts below, each with a line above it. */
  readonly children?: ReactNode
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

/** A section while what it shows is read, and after it could not be, so that nobody takes it for empty. */
export const UnreadSection = ({ id, heading, error }: Pick<Props, 'id' | 'heading'> & { readonly error: unknown }) => (
  <ProfileSection
    id={id}
    heading={heading}
    intro={
      error === undefined ? (
        <div role="group" aria-label="Loading" aria-busy="true" className="mt-2 h-3 w-2/5 skeleton" />
      ) : (
        <div role="alert" className="mt-2 flex flex-wrap items-center gap-3 text-bad">
          <p>{error instanceof Error ? error.message : 'This section could not be loaded'}</p>
          <CommandButton command={commandOf('view.refresh')} label="Retry" />
        </div>
      )
    }
  />
)
