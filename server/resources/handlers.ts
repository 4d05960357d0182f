/** Every endpoint that is answered; what the contract declares and this lacks answers 501. */
import { authHandlers } from '../auth/handlers.ts'
import { profileHandlers } from '../auth/profile.ts'
import type { Handler } from '../handler.ts'
import { deviceHandlers } from './devices/handlers.ts'

export const handlers: readonly Handler[] = [...authHandlers, ...profileHandlers, ...deviceHandlers]
