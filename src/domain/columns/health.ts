/** Names of what the list of devices shows of their health. */
export const healthStateNames = { good: 'Good', watch: 'Watch', act: 'Act', learning: 'Learning' } as const
export type HealthCondition = keyof typeof healthStateNames
export const healthStates = Object.keys(healthStateNames) as [HealthCondition, ...HealthCondition[]]
