/**
 * The icons of the first screen, by meaning. `MoreIcon`, which is loaded later, has the others. Each is imported from its
 * own module: through the package's index, all icons that the console uses would be in the first bundle.
 */
import ArrowUpToLine from 'lucide-react/icons/arrow-up-to-line'
import Bell from 'lucide-react/icons/bell'
import ChartLine from 'lucide-react/icons/chart-line'
import ChevronDown from 'lucide-react/icons/chevron-down'
import ChevronLeft from 'lucide-react/icons/chevron-left'
import ChevronRight from 'lucide-react/icons/chevron-right'
import Columns3 from 'lucide-react/icons/columns-3'
import Cpu from 'lucide-react/icons/cpu'
import Download from 'lucide-react/icons/download'
import Droplet from 'lucide-react/icons/droplet'
import Ellipsis from 'lucide-react/icons/ellipsis'
import Menu from 'lucide-react/icons/menu'
import Moon from 'lucide-react/icons/moon'
import PanelRight from 'lucide-react/icons/panel-right'
import Search from 'lucide-react/icons/search'
import Settings from 'lucide-react/icons/settings'
import SquareCheck from 'lucide-react/icons/square-check'
import Sun from 'lucide-react/icons/sun'
import type { LucideIcon } from 'lucide-react'
import type { IconName } from '../../../domain/iconName.ts'

export const icons = {
  bell: Bell,
  chart: ChartLine,
  columns: Columns3,
  device: Droplet,
  down: ChevronDown,
  download: Download,
  left: ChevronLeft,
  menu: Menu,
  model: Cpu,
  moon: Moon,
  more: Ellipsis,
  panel: PanelRight,
  right: ChevronRight,
  search: Search,
  select: SquareCheck,
  settings: Settings,
  sun: Sun,
  upload: ArrowUpToLine,
} as const satisfies Partial<Record<IconName, LucideIcon>>

export type FirstIcon = keyof typeof icons
