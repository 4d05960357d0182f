import { memo, Suspense } from 'react'
import { narrow } from '../../../store/layout.ts'
import type { Entity } from '../../../store/lists.ts'
import type { Column } from '../../../ui/table/column.ts'
import { useMediaQuery } from '../../../ui/useMediaQuery.ts'
import type { IconName } from '../../../domain/iconName.ts'
import { commandsOn } from '../../core/registry.ts'
import { CommandButton } from '../buttons/CommandButton.tsx'
import { SurfaceButtons } from '../buttons/SurfaceButtons.tsx'
import { Icon } from '../buttons/Icon.tsx'
import { menuName } from '../buttons/menuLook.ts'
import { lazyAfterRows, lazyComponent } from '../run/lazyComponent.ts'
import { SearchBy, SearchField } from './Search.tsx'

const ColumnsMenu = lazyAfterRows(
  () => import('../buttons/menus.tsx'),
  module => module.ColumnsMenu,
)
const ExportMenu = lazyAfterRows(
  () => import('../buttons/ExportMenu.tsx'),
  module => module.ListExportMenu,
)

const NarrowToolbar = lazyComponent(
  () => import('./NarrowToolbar.tsx'),
  module => module.NarrowToolbar,
)

/**
 * The toolbar of a list: search, columns, export, create. On narrow screens it has a single line: a button opens the
 * choice of what to search by, and a menu has the other commands.
 */
export const Toolbar = memo(function Toolbar(props: { entity: Entity; columns: readonly Column<never>[] }) {
  const isNarrow = useMediaQuery(narrow.navigation)
  return (
    <div role="search" className="@container border-b border-line bg-panel">
      {isNarrow ? (
        <Suspense fallback={<div className="h-[46px]" />}>
          <NarrowToolbar entity={props.entity} />
        </Suspense>
      ) : (
        <WideToolbar {...props} />
      )}
    </div>
  )
})

/** Keys are hidden before the menus lose their names, so that beside the panel the names stay. */
function WideToolbar({ entity, columns }: { entity: Entity; columns: readonly Column<never>[] }) {
  return (
    <div className="flex flex-wrap items-center gap-2 px-3 py-2 @2xl:flex-nowrap @max-4xl:[&_span:has(kbd)]:hidden [&>button]:shrink-0">
      <SearchBy entity={entity} />
      <SearchField entity={entity} />
      <Suspense fallback={<FallbackButton icon="columns" label="Columns" />}>
        <ColumnsMenu entity={entity} columns={columns} />
      </Suspense>
      <Suspense fallback={<FallbackButton icon="download" label="Export" />}>
        <ExportMenu entity={entity} />
      </Suspense>
      {commandsOn('toolbar')
        .filter(command => command.entity === entity)
        .map(command => (
          <CommandButton key={command.id} command={command} label="Create" />
        ))}
      <SurfaceButtons on="panelToggle" iconOnly />
    </div>
  )
}

/** A placeholder for a menu's button while the menu's code loads. */
const FallbackButton = ({ icon, label }: { icon: IconName; label: string }) => (
  <span className="btn">
    <Icon name={icon} />
    <span className={menuName}>{label}</span>
  </span>
)
