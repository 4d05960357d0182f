import toast, { useToaster, type Toast } from 'react-hot-toast/headless'
import { useEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { useSwipeToDismiss } from './useSwipeToDismiss.ts'

/** Milliseconds that a toast is shown (specification, section 9); the library's default for success is shorter. */
const duration = 4000

/** Why the timers are paused. */
type Reason = 'hover' | 'focus' | 'drag' | 'blur'

/**
 * Toasts at the bottom left. Their timers pause while they are hovered, focused or dragged, or the window is inactive.
 */
export function Toaster() {
  const { toasts, handlers } = useToaster({
    duration,
    success: { duration },
    error: { duration },
    loading: { duration: Infinity },
  })
  const region = useRef<HTMLDivElement>(null)
  const latestHandlers = useRef(handlers)
  latestHandlers.current = handlers
  const [reasons, setReasons] = useState<ReadonlySet<Reason>>(new Set())
  const setPaused = (reason: Reason, paused: boolean) =>
    setReasons(before => {
      if (before.has(reason) === paused) return before
      return new Set(paused ? [...before, reason] : [...before].filter(one => one !== reason))
    })
  const isPaused = reasons.size > 0
  // In an effect, because the library ignores the end of a pause whose start it has not rendered yet.
  useEffect(() => {
    if (isPaused) latestHandlers.current.startPause()
    else latestHandlers.current.endPause()
  }, [isPaused])
  const visible = toasts.filter(toast => toast.visible)
  useEffect(() => {
    const away = () => setPaused('blur', true)
    const back = () => setPaused('blur', false)
    window.addEventListener('blur', away)
    window.addEventListener('focus', back)
    return () => {
      window.removeEventListener('blur', away)
      window.removeEventListener('focus', back)
    }
  }, [])
  // A toast that is removed under the pointer or with the focus fires neither `pointerleave` nor `blur`.
  const visibleCount = visible.length
  useEffect(() => {
    if (!region.current?.contains(document.activeElement)) setPaused('focus', false)
    if (visibleCount === 0) for (const reason of ['hover', 'drag'] as const) setPaused(reason, false)
  }, [visibleCount])

  return createPortal(
    <div
      ref={region}
      role="region"
      aria-label="Messages"
      // Always rendered: screen readers often miss a live region that is added together with its text.
      aria-live="polite"
      aria-relevant="additions text"
      className="pointer-events-none fixed bottom-[84px] left-4 z-[60] grid w-[372px] max-w-[calc(100vw-2rem)] gap-2"
      onPointerEnter={() => setPaused('hover', true)}
      onPointerLeave={() => setPaused('hover', false)}
      onFocus={() => setPaused('focus', true)}
      onBlur={() => setPaused('focus', false)}
    >
      {visible.map(item => (
        <OneToast key={item.id} item={item} onHold={dragging => setPaused('drag', dragging)} />
      ))}
    </div>,
    document.body,
  )
}

const marks: Partial<Record<Toast['type'], string>> = { success: 'bg-ok', error: 'bg-bad', blank: 'bg-busy' }

function OneToast({ item, onHold }: { item: Toast; onHold: (dragging: boolean) => void }) {
  const drag = useSwipeToDismiss(() => toast.dismiss(item.id), onHold)
  const message = typeof item.message === 'function' ? item.message(item) : item.message
  const isText = typeof message === 'string'
  return (
    <div
      {...drag}
      // Progress is announced separately, less often than it is displayed.
      aria-live={item.type === 'loading' ? 'off' : undefined}
      // Swiping the toast away closes it, like its button.
      data-command="view.closeMessages"
      className={`raised pointer-events-auto flex touch-pan-y gap-2 rounded-lg px-3 py-2.5 select-none ${isText ? 'items-center' : 'items-start'}`}
    >
      {marks[item.type] && (
        <span
          aria-hidden="true"
          className={`size-[7px] shrink-0 rounded-full ${isText ? '' : 'mt-[7px]'} ${marks[item.type]}`}
        />
      )}
      {/* Keyed by time, so that a repeated message is announced again. */}
      <div
        key={isText ? item.createdAt : 'parts'}
        // Long messages scroll, so that they do not cover the page.
        className={`min-w-0 flex-1 break-words ${isText ? 'max-h-40 overflow-y-auto' : ''}`}
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
