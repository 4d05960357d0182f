/** All endpoints, by resource. In a folder of its own, so that others may import from the folder above. */
import { admins, users, vendors } from '../accounts.ts'
import { apiKeys } from '../apiKeys.ts'
import { audit } from '../audit.ts'
import { auth } from '../auth.ts'
import { devices } from '../devices.ts'
import type { Endpoint } from '../endpoint.ts'
import { events } from '../events.ts'
import { cartridgeTypes, filtrationSystemGroups, filtrationSystems } from '../filtration.ts'
import { findings } from '../findings.ts'
import { health } from '../health/endpoints.ts'
import { jobs } from '../jobs.ts'
import { models } from '../models.ts'
import { notifications } from '../notifications.ts'
import { ownSessions } from '../ownSessions.ts'
import { passkeys } from '../passkeys.ts'
import { secondFactor } from '../secondFactor.ts'
import { servers } from '../servers.ts'
import { settingEndpoints } from '../settings.ts'
import { stream } from '../stream.ts'

export const resources = {
  auth,
  ownSessions,
  secondFactor,
  passkeys,
  apiKeys,
  admins,
  vendors,
  users,
  cartridgeTypes,
  models,
  devices: { ...devices, ...settingEndpoints },
  events,
  findings,
  health,
  jobs,
  filtrationSystemGroups,
  filtrationSystems,
  notifications,
  audit,
  servers,
  stream,
}

export const endpoints: readonly Endpoint[] = Object.values(resources).flatMap((resource): readonly Endpoint[] =>
  Object.values(resource),
)
