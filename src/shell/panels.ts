/** The side panels by their screen. */
import type { ComponentType } from 'react'
import type { Place } from '../domain/routes.ts'
import { afterFirstRows } from '../store/firstRows.ts'
import { lazily } from './lazily.ts'

type Panel = ComponentType<{ width: number; onClose: () => void }>

export const loadDevicePanel = () => import('../screens/devices/DevicePanel.tsx')

export const panels: Partial<Record<Place | 'none', Panel>> = {
  devices: lazily(() => afterFirstRows().then(loadDevicePanel), 'DevicePanel'),
  device: lazily(() => import('../screens/devices/OneDevicePanel.tsx'), 'OneDevicePanel'),
  models: lazily(() => import('../screens/models/ModelsPanel.tsx'), 'ModelsPanel'),
  filtrationSystems: lazily(
    () => import('../screens/filtrationSystems/FiltrationSystemsPanel.tsx'),
    'FiltrationSystemsPanel',
  ),
  groups: lazily(() => import('../screens/groups/GroupsPanel.tsx'), 'GroupsPanel'),
  cartridgeTypes: lazily(() => import('../screens/cartridgeTypes/CartridgeTypesPanel.tsx'), 'CartridgeTypesPanel'),
  admins: lazily(() => import('../screens/admins/AdminsPanel.tsx'), 'AdminsPanel'),
  vendors: lazily(() => import('../screens/vendors/VendorsPanel.tsx'), 'VendorsPanel'),
  audit: lazily(() => import('../screens/history/HistoryPanel.tsx'), 'HistoryPanel'),
  calendar: lazily(() => import('../screens/calendar/CalendarPanel.tsx'), 'CalendarPanel'),
  users: lazily(() => import('../screens/users/UsersPanel.tsx'), 'UsersPanel'),
}
