/** Every endpoint that is answered; what the contract declares and this lacks answers 501. */
import { authHandlers } from '../auth/handlers.ts'
import type { Handler } from '../handler.ts'
import { accountHandlers } from './accounts/handlers.ts'
import { profileHandlers } from './accounts/profile.ts'
import { auditHandlers } from './audit/handlers.ts'
import { cartridgeTypeHandlers } from './cartridgeTypes/handlers.ts'
import { deviceHandlers } from './devices/handlers.ts'
import { eventHandlers } from './events/handlers.ts'
import { filtrationGroupHandlers } from './filtrationGroups/handlers.ts'
import { filtrationSystemHandlers } from './filtrationSystems/handlers.ts'
import { modelHandlers } from './models/handlers.ts'
import { notificationHandlers } from './notifications/handlers.ts'

export const handlers: readonly Handler[] = [
  ...authHandlers,
  ...profileHandlers,
  ...accountHandlers,
  ...modelHandlers,
  ...deviceHandlers,
  ...filtrationSystemHandlers,
  ...filtrationGroupHandlers,
  ...cartridgeTypeHandlers,
  ...eventHandlers,
  ...notificationHandlers,
  ...auditHandlers,
]
