/** What a list query consists of. Without schemas, so that the first rows can be requested early. */
export const operators = ['co', 'sw', 'ew', 'eq', 'ne', 'gt', 'ge', 'lt', 'le'] as const
export type Operator = (typeof operators)[number]
export const operatorNames: Record<Operator, string> = {
  co: 'contains',
  sw: 'starts with',
  ew: 'ends with',
  eq: 'equals',
  ne: 'is not',
  gt: 'greater than',
  ge: 'at least',
  lt: 'less than',
  le: 'at most',
}

export const defaultLimit = 20

/** The endpoint of a device. */
export const devicePath = '/api/v3/devices/{bssid}'
