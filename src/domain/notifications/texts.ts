/** Texts made from the definitions of notifications. */
import { amount, toFixed } from '../format.ts'
import { unitOf, type UnitChoice } from '../units.ts'
import {
  notificationDefinitions,
  notificationGroupTitles,
  type NotificationDefinition,
  type NotificationValues,
} from './definitions.ts'
import { notificationTypes, type NotificationType } from './types.ts'

/** Returns the value shown with the text, in the chosen unit: `39.2 °C`, `Membrane 75 GPD`; undefined where there is none. */
export function notificationValue(
  type: NotificationType,
  values: NotificationValues,
  units: UnitChoice,
): string | undefined {
  const { value }: NotificationDefinition = notificationDefinitions[type]
  if (!value) return undefined
  const given = values[value[0]]
  if (given === undefined || given === '') return undefined
  if (typeof given === 'string' || value[1] === 'text') return String(given)
  if (value[1] === 'percent') return `${toFixed(given, 0)} %`
  return `${amount(given, value[1], units)} ${unitOf(value[1], units).symbol}`
}

/** The types by group, as the filter shows them. */
export const notificationGroups = notificationGroupTitles.map(title => ({
  title,
  types: notificationTypes.filter(type => notificationDefinitions[type].group === title),
}))
