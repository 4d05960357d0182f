/** The side panels by their screen. */
import type { ComponentType } from 'react'
import { lazilyAfterRows, lazilyWithCommands } from '../commands/surfaces/run/lazily.ts'
import type { Place } from '../domain/routes.ts'

type Panel = ComponentType<{ width: number; onClose: () => void }>

export const loadDevicePanel = () => import('../screens/devices/DevicePanel.tsx')

export const panels: Partial<Record<Place | 'none', Panel>> = {
  devices: lazilyAfterRows(loadDevicePanel, of => of.DevicePanel),
  device: lazilyWithCommands(
    () => import('../screens/devices/OneDevicePanel.tsx'),
    of => of.OneDevicePanel,
  ),
  models: lazilyWithCommands(
    () => import('../screens/models/ModelsPanel.tsx'),
    of => of.ModelsPanel,
  ),
  filtrationSystems: lazilyWithCommands(
    () => import('../screens/filtrationSystems/FiltrationSystemsPanel.tsx'),
    of => of.FiltrationSystemsPanel,
  ),
  groups: lazilyWithCommands(
    () => import('../screens/groups/GroupsPanel.tsx'),
    of => of.GroupsPanel,
  ),
  cartridgeTypes: lazilyWithCommands(
    () => import('../screens/cartridgeTypes/CartridgeTypesPanel.tsx'),
    of => of.CartridgeTypesPanel,
  ),
  admins: lazilyWithCommands(
    () => import('../screens/admins/AdminsPanel.tsx'),
    of => of.AdminsPanel,
  ),
  vendors: lazilyWithCommands(
    () => import('../screens/vendors/VendorsPanel.tsx'),
    of => of.VendorsPanel,
  ),
  audit: lazilyWithCommands(
    () => import('../screens/history/HistoryPanel.tsx'),
    of => of.HistoryPanel,
  ),
  calendar: lazilyWithCommands(
    () => import('../screens/calendar/CalendarPanel.tsx'),
    of => of.CalendarPanel,
  ),
  users: lazilyWithCommands(
    () => import('../screens/users/UsersPanel.tsx'),
    of => of.UsersPanel,
  ),
}
