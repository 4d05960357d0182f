/** The value and groups of notifications, from their definitions. */
import { formatAmount, formatNumber } from '../format.ts'
import { unitOf, type UnitChoice } from '../units.ts'
import {
  notificationDefinitions,
  notificationGroupTitles,
  type NotificationDefinition,
  type NotificationValues,
} from './definitions.ts'
import { notificationTypes, type NotificationType } from './types.ts'

/** Returns the value shown with the text, in the chosen unit: `39.2 °C`, `Membrane 75 GPD`; undefined without one. */
export function notificationValue(
  type: NotificationType,
  values: NotificationValues,
  units: UnitChoice,
): string | undefined {
  const { value }: NotificationDefinition = notificationDefinitions[type]
  if (!value) return undefined
  const [name, quantity] = value
  const actual = values[name]
  if (actual === undefined || actual === '') return undefined
  if (typeof actual === 'string' || quantity === 'text') return String(actual)
  if (quantity === 'percent') return `${formatNumber(actual, 0)} %`
  return `${formatAmount(actual, quantity, units)} ${unitOf(quantity, units).symbol}`
}

/** The types by group, as the filter shows them. */
export const notificationGroups = notificationGroupTitles.map(title => ({
  title,
  types: notificationTypes.filter(type => notificationDefinitions[type].group === title),
}))
