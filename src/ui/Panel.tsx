import { useId, type ReactNode } from 'react'

/** The frame of the side panel: title, header, tabs and body. */
export function Panel<Tab extends string>(props: {
  title: string
  mono: boolean
  width: number
  /** Whether the panel overlays the page instead of taking width from it. */
  isOverlay: boolean
  onClose: () => void
  actions: ReactNode
  head: ReactNode
  tabs: readonly { id: Tab; title: string }[]
  tab: Tab
  onTab: (tab: Tab) => void
  children: ReactNode
}) {
  const id = useId()
  const { isOverlay, tabs, tab, onTab } = props
  const step = (by: number) => {
    const next = tabs[(tabs.findIndex(one => one.id === tab) + by + tabs.length) % tabs.length]!
    onTab(next.id)
    document.getElementById(`${id}${next.id}`)?.focus()
  }
  return (
    <aside
      aria-labelledby={`${id}t`}
      className={`flex min-h-0 max-w-full flex-col overflow-hidden border-l border-line bg-panel ${isOverlay ? 'fixed top-[46px] right-0 bottom-(--status-bar) z-30 shadow-(--shadow)' : ''}`}
      style={{ width: props.width }}
    >
      <header className="border-b border-line px-4 pt-3 pb-2.5">
        <div className="flex items-center gap-1">
          <h2
            id={`${id}t`}
            className={`flex-1 truncate text-[15px] font-semibold tracking-tight ${props.mono ? 'font-mono !text-[14px]' : ''}`}
          >
            {props.title}
          </h2>
          {props.actions}
          <button
            type="button"
            data-command="view.panel"
            aria-label="Close the side panel"
            className="icon-btn text-lg"
            onClick={props.onClose}
          >
            ×
          </button>
        </div>
        {props.head}
      </header>
      <div role="tablist" aria-label="Sections" className="flex gap-0.5 border-b border-line px-3 pt-1">
        {tabs.map(one => (
          <button
            key={one.id}
            id={`${id}${one.id}`}
            type="button"
            role="tab"
            data-command="view.panelTab"
            data-panel-tab={one.id === tab ? '' : undefined}
            aria-selected={one.id === tab}
            aria-controls={`${id}b`}
            tabIndex={one.id === tab ? 0 : -1}
            className={`border-b-2 px-2.5 py-1.5 ${one.id === tab ? 'border-accent font-medium text-ink' : 'border-transparent text-ink2 hover:text-ink'}`}
            onClick={() => onTab(one.id)}
            onKeyDown={event => {
              const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
              if (by !== 0) step(by)
            }}
          >
            {one.title}
          </button>
        ))}
      </div>
      <div
        id={`${id}b`}
        role="tabpanel"
        aria-labelledby={`${id}${tab}`}
        tabIndex={0}
        data-scrolls
        className="@container min-h-0 flex-1 overflow-auto focus-visible:outline-offset-[-2px]"
      >
        {props.children}
      </div>
    </aside>
  )
}
