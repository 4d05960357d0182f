/** The side panels by their screen. */
import type { ComponentType } from 'react'
import { withAllCommands } from '../commands/registry.ts'
import type { Place } from '../domain/routes.ts'
import { afterFirstRows } from '../store/firstRows.ts'
import { lazily, lazilyWithCommands } from './lazily.ts'

type Panel = ComponentType<{ width: number; onClose: () => void }>

export const loadDevicePanel = () => import('../screens/devices/DevicePanel.tsx')

export const panels: Partial<Record<Place | 'none', Panel>> = {
  devices: lazily(() => afterFirstRows().then(withAllCommands).then(loadDevicePanel), 'DevicePanel'),
  device: lazilyWithCommands(() => import('../screens/devices/OneDevicePanel.tsx'), 'OneDevicePanel'),
  models: lazilyWithCommands(() => import('../screens/models/ModelsPanel.tsx'), 'ModelsPanel'),
  filtrationSystems: lazilyWithCommands(
    () => import('../screens/filtrationSystems/FiltrationSystemsPanel.tsx'),
    'FiltrationSystemsPanel',
  ),
  groups: lazilyWithCommands(() => import('../screens/groups/GroupsPanel.tsx'), 'GroupsPanel'),
  cartridgeTypes: lazilyWithCommands(
    () => import('../screens/cartridgeTypes/CartridgeTypesPanel.tsx'),
    'CartridgeTypesPanel',
  ),
  admins: lazilyWithCommands(() => import('../screens/admins/AdminsPanel.tsx'), 'AdminsPanel'),
  vendors: lazilyWithCommands(() => import('../screens/vendors/VendorsPanel.tsx'), 'VendorsPanel'),
  audit: lazilyWithCommands(() => import('../screens/history/HistoryPanel.tsx'), 'HistoryPanel'),
  calendar: lazilyWithCommands(() => import('../screens/calendar/CalendarPanel.tsx'), 'CalendarPanel'),
  users: lazilyWithCommands(() => import('../screens/users/UsersPanel.tsx'), 'UsersPanel'),
}
