import { memo, Suspense } from 'react'
import { afterFirstRows } from '../../../store/firstRows.ts'
import type { IconName } from '../../../domain/iconName.ts'
import { icons, type FirstIcon } from './icons.ts'
import { lazyComponent } from '../run/lazyComponent.ts'

const MoreIcon = lazyComponent(
  () => afterFirstRows().then(() => import('./MoreIcon.tsx')),
  module => module.MoreIcon,
)

/** Whether an icon is in the first bundle. */
const isFirst = (name: IconName): name is FirstIcon => name in icons

/** An icon by its name. Memoized, because rows that show others with each letter typed keep their icons. */
export const Icon = memo(function Icon({ name, size = 15 }: { name: IconName; size?: number }) {
  if (isFirst(name)) {
    const LucideIcon = icons[name]
    return <LucideIcon size={size} strokeWidth={1.7} className="shrink-0" aria-hidden="true" />
  }
  return (
    <Suspense fallback={<span data-icon="loading" className="shrink-0" style={{ width: size, height: size }} />}>
      <MoreIcon name={name} size={size} />
    </Suspense>
  )
})
