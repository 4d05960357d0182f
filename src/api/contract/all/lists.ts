/** The list endpoint of each entity. */
import { admins, users, vendors } from '../accounts.ts'
import { audit } from '../audit.ts'
import { devices } from '../devices.ts'
import { cartridgeTypes, filtrationSystemGroups, filtrationSystems } from '../filtration.ts'
import { findings } from '../findings.ts'
import { models } from '../models.ts'
import { servers } from '../servers.ts'

export const listEndpoints = {
  devices: devices.list,
  models: models.list,
  filtrationSystems: filtrationSystems.list,
  groups: filtrationSystemGroups.list,
  cartridgeTypes: cartridgeTypes.list,
  admins: admins.list,
  vendors: vendors.list,
  users: users.list,
  findings: findings.list,
  audit: audit.list,
  servers: servers.list,
} as const
