/** The side panel of each screen. */
import type { ComponentType } from 'react'
import { lazyAfterRows, lazyWithCommands } from '../commands/surfaces/run/lazyComponent.ts'
import type { ScreenId } from '../domain/lists/routes.ts'
import { rowEntities, type RowEntity } from '../store/lists.ts'

interface PanelProps {
  width: number
  onClose: () => void
}
type Panels = Partial<Record<ScreenId, ComponentType<PanelProps>>>

export const loadDevicePanel = () => import('../screens/devices/DevicePanel.tsx')

const RowListPanel = lazyWithCommands(
  () => import('../screens/lists/RowListPanel.tsx'),
  module => module.RowListPanel<RowEntity>,
)
/** A separate component for each list, so that React does not keep one panel's state for the next. */
const rowListPanels: Panels = Object.fromEntries(
  rowEntities.map(entity => [entity, (props: PanelProps) => <RowListPanel entity={entity} {...props} />]),
)

export const panels: Panels = {
  ...rowListPanels,
  devices: lazyAfterRows(loadDevicePanel, module => module.DevicePanel),
  device: lazyWithCommands(
    () => import('../screens/devices/OneDevicePanel.tsx'),
    module => module.OneDevicePanel,
  ),
  calendar: lazyWithCommands(
    () => import('../screens/calendar/CalendarPanel.tsx'),
    module => module.CalendarPanel,
  ),
}
