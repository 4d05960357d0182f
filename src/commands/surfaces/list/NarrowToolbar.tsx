import { Suspense, useId, useState } from 'react'
import { useSnapshot } from 'valtio'
import { columnsOf } from '../../../api/lists.ts'
import { lists, type Entity } from '../../../store/lists.ts'
import { commandsOn } from '../../core/registry.ts'
import { SurfaceButtons } from '../buttons/SurfaceButtons.tsx'
import { Icon } from '../buttons/Icon.tsx'
import { lazyAfterRows } from '../run/lazyComponent.ts'
import { SearchBy, SearchField } from './Search.tsx'

const MoreMenu = lazyAfterRows(
  () => import('../buttons/menus.tsx'),
  module => module.MoreMenu,
)

/** The toolbar of a list on a narrow screen, in a single line. */
export function NarrowToolbar({ entity }: { entity: Entity }) {
  const { column, operator } = useSnapshot(lists[entity])
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  const isDefault = (column ?? columnsOf(entity).search) === columnsOf(entity).search && operator === 'co'
  const more = [...commandsOn('toolbar'), ...commandsOn('listMore')].filter(
    command => !command.entity || command.entity === entity,
  )
  return (
    <>
      <div className="flex items-center gap-1 px-3 py-[3px]">
        <SearchField entity={entity} />
        <button
          type="button"
          data-command="list.searchBy"
          aria-label="Search by column and operator"
          aria-expanded={isOpen}
          aria-controls={isOpen ? id : undefined}
          className={`icon-btn ${isDefault ? '' : 'bg-accent-soft !text-accent'}`}
          onClick={() => setOpen(!isOpen)}
        >
          <Icon name="filter" />
        </button>
        <SurfaceButtons on="panelToggle" iconOnly />
        <Suspense fallback={<span className="size-10" />}>
          <MoreMenu commands={more} />
        </Suspense>
      </div>
      {isOpen && (
        <div id={id} className="flex gap-2 px-3 pb-1.5">
          <SearchBy entity={entity} />
        </div>
      )}
    </>
  )
}
