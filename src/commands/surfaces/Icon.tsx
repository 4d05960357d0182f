import type { IconName } from '../iconName.ts'
import { icons } from './icons.ts'

export function Icon({ name, size = 15 }: { name: IconName; size?: number }) {
  const Drawn = icons[name]
  return <Drawn size={size} strokeWidth={1.7} className="shrink-0" aria-hidden="true" />
}
