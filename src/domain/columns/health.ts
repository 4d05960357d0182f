/** Names of what the list of devices shows of their health. */
import { typedKeys } from '../lib/typedKeys.ts'
export const healthStateNames = { good: 'Good', watch: 'Watch', act: 'Act', learning: 'Learning' } as const
export type HealthCondition = keyof typeof healthStateNames
export const healthStates = typedKeys(healthStateNames)
