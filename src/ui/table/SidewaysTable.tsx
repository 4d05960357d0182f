import { useLayoutEffect, useRef, useState, type ReactNode } from 'react'

/** A table that scrolls sideways where it does not fit, and says so: the right edge alone looks as if it ended there. */
export function SidewaysTable({ label, children }: { label: string; children: ReactNode }) {
  const element = useRef<HTMLDivElement>(null)
  const [isCut, setCut] = useState(false)
  useLayoutEffect(() => {
    const shown = element.current
    if (!shown) return
    const observer = new ResizeObserver(() => setCut(shown.scrollWidth > shown.clientWidth + 1))
    observer.observe(shown)
    return () => observer.disconnect()
  }, [])
  return (
    <>
      {isCut && (
        <p aria-hidden="true" className="mt-2 text-right text-[11.5px] text-ink3">
          Scroll sideways for more →
        </p>
      )}
      <div
        ref={element}
        className={`overflow-x-auto ${isCut ? 'mt-0.5 border-r border-dashed border-ink3' : 'mt-2'}`}
        tabIndex={0}
        data-scrolls
        role="group"
        aria-label={label}
      >
        {children}
      </div>
    </>
  )
}
