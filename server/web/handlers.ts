/** Handlers of all endpoints. An endpoint of the contract without a handler responds with 501. */
import { authHandlers } from '../auth/handlers.ts'
import { replacementHandlers } from '../auth/replacement/handlers.ts'
import type { Handler } from '../endpoints/handler.ts'
import { accountHandlers } from '../resources/accounts/handlers.ts'
import { profileHandlers } from '../resources/accounts/profile.ts'
import { auditHandlers } from '../resources/audit/handlers.ts'
import { cartridgeTypeHandlers } from '../resources/cartridgeTypes/handlers.ts'
import { deviceHandlers } from '../resources/devices/handlers.ts'
import { eventHandlers } from '../resources/events/handlers.ts'
import { filtrationGroupHandlers } from '../resources/filtrationGroups/handlers.ts'
import { filtrationSystemHandlers } from '../resources/filtrationSystems/handlers.ts'
import { healthHandlers } from '../resources/health/handlers.ts'
import { jobHandlers } from '../resources/jobs/handlers.ts'
import { modelHandlers } from '../resources/models/handlers.ts'
import { notificationHandlers } from '../resources/notifications/handlers.ts'
import { serverHandlers } from '../resources/servers/handlers.ts'

export const handlers: readonly Handler[] = [
  ...authHandlers,
  ...replacementHandlers,
  ...profileHandlers,
  ...accountHandlers,
  ...modelHandlers,
  ...deviceHandlers,
  ...filtrationSystemHandlers,
  ...filtrationGroupHandlers,
  ...cartridgeTypeHandlers,
  ...eventHandlers,
  ...healthHandlers,
  ...jobHandlers,
  ...notificationHandlers,
  ...auditHandlers,
  ...serverHandlers,
]
