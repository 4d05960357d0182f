import toast, { useToaster, type Toast } from 'react-hot-toast/headless'
import { useEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { useSidewaysDrag } from './drag.ts'

/** Milliseconds a toast stays (specification, section 9); the library's own default for success is shorter. */
const duration = 4000

type Reason = 'hover' | 'focus' | 'drag' | 'blur'

/** Toasts at the bottom left. They wait while pointed at, focused, dragged, or while the window is not in front. */
export function Toaster() {
  const { toasts, handlers } = useToaster({
    duration,
    success: { duration },
    error: { duration },
    loading: { duration: Infinity },
  })
  const newest = useRef(handlers)
  newest.current = handlers
  const [reasons, setReasons] = useState<ReadonlySet<Reason>>(new Set())
  const hold = (reason: Reason, held: boolean) =>
    setReasons(before => {
      if (before.has(reason) === held) return before
      return new Set(held ? [...before, reason] : [...before].filter(one => one !== reason))
    })
  const held = reasons.size > 0
  // Told once it is drawn: the end of a pause is nothing to a list that has yet to be drawn with its beginning.
  useEffect(() => {
    if (held) newest.current.startPause()
    else newest.current.endPause()
  }, [held])
  const none = toasts.length === 0
  useEffect(() => {
    const away = () => hold('blur', true)
    const back = () => hold('blur', false)
    window.addEventListener('blur', away)
    window.addEventListener('focus', back)
    return () => {
      window.removeEventListener('blur', away)
      window.removeEventListener('focus', back)
    }
  }, [])
  // A toast that goes away under the pointer never tells that the pointer left.
  useEffect(() => {
    if (none) for (const reason of ['hover', 'focus', 'drag'] as const) hold(reason, false)
  }, [none])

  return createPortal(
    <div
      role="region"
      aria-label="Messages"
      // Always there, so that what is put into it is heard; a region that comes with its text often is not.
      aria-live="polite"
      aria-relevant="additions text"
      className="pointer-events-none fixed bottom-[84px] left-4 z-[60] grid w-[372px] max-w-[calc(100vw-2rem)] gap-2"
      onPointerEnter={() => hold('hover', true)}
      onPointerLeave={() => hold('hover', false)}
      onFocus={() => hold('focus', true)}
      onBlur={() => hold('focus', false)}
    >
      {toasts
        .filter(({ visible }) => visible)
        .map(item => (
          <OneToast key={item.id} item={item} onHold={held => hold('drag', held)} />
        ))}
    </div>,
    document.body,
  )
}

const marks: Partial<Record<Toast['type'], string>> = { success: 'bg-ok', error: 'bg-bad', blank: 'bg-busy' }

function OneToast({ item, onHold }: { item: Toast; onHold: (held: boolean) => void }) {
  const drag = useSidewaysDrag(() => toast.dismiss(item.id), onHold)
  const message = typeof item.message === 'function' ? item.message(item) : item.message
  const words = typeof message === 'string'
  return (
    <div
      {...drag}
      // What goes on says by itself how far it is, and less often than it shows it.
      aria-live={item.type === 'loading' ? 'off' : undefined}
      // Dragged aside it is closed, as by its button.
      data-command="view.closeMessages"
      className="raised pointer-events-auto flex touch-pan-y items-start gap-2 rounded-lg px-3 py-2.5 select-none"
    >
      {marks[item.type] && (
        <span aria-hidden="true" className={`mt-[7px] size-[7px] shrink-0 rounded-full ${marks[item.type]}`} />
      )}
      {/* Words that are said again are put in anew, so that they are heard again. */}
      <div
        key={words ? item.createdAt : 'parts'}
        // As long as a server likes: it is read by scrolling, and hides no page.
        className={`min-w-0 flex-1 break-words ${words ? 'max-h-40 overflow-y-auto' : ''}`}
      >
        {message}
      </div>
      {item.type !== 'loading' && (
        <button
          type="button"
          data-command="view.closeMessages"
          aria-label="Close"
          className="-my-1 -mr-1 grid size-6 shrink-0 place-items-center rounded text-ink3 hover:text-ink"
          onClick={() => toast.dismiss(item.id)}
        >
          ×
        </button>
      )}
    </div>
  )
}
