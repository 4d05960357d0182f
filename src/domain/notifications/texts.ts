/** The value and groups of notifications, from their definitions, and the texts of incidents. */
import { formatAmount, formatNumber, formatTime } from '../format.ts'
import { plural } from '../plural.ts'
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
  if (quantity === 'percent') return `${formatNumber(actual)} %`
  return `${formatAmount(actual, quantity, units)} ${unitOf(quantity, units).symbol}`
}

interface IncidentLike {
  readonly type: NotificationType
  readonly created_at: string
  readonly device: { readonly company_name: string }
  readonly incident: {
    readonly devices: number
    readonly open: number
    readonly vendors?: number | undefined
    readonly water_supply: string | null
    readonly ended_at: string | null
  }
}

/** Returns the line of an incident: `Offline: 40 devices of Fjordvann AS, since 00:01`, or `… of 3 vendors …`. */
export function incidentText({ type, created_at, device, incident }: IncidentLike): string {
  const { text, short = text }: NotificationDefinition = notificationDefinitions[type]
  const { devices, vendors, water_supply, ended_at } = incident
  const whose = vendors === undefined ? device.company_name : `${vendors} vendors`
  const where = water_supply === null ? `of ${whose}` : `on ${water_supply}`
  return `${short}: ${plural(devices, 'device')} ${where}, ${spanText(created_at, ended_at)}`
}

function spanText(from: string, ended: string | null): string {
  return ended === null ? `since ${formatTime(from)}` : timesText(from, ended)
}

/** Returns when something began and ended: `09:10 to 09:40`, or `at 09:10` in one minute. */
export function timesText(from: string, to: string): string {
  const [start, end] = [formatTime(from), formatTime(to)]
  return start === end ? `at ${start}` : `${start} to ${end}`
}

/** Returns what the line of an incident does not say: the company of a supply, and how many of its conditions last. */
export const incidentDetails = ({ device, incident }: IncidentLike): readonly string[] => [
  ...(incident.water_supply === null ? [] : [device.company_name]),
  ...(incident.open > 0 && incident.open < incident.devices
    ? [`${formatNumber(incident.open)} of ${formatNumber(incident.devices)} remain`]
    : []),
]

/** The types by group, as the filter shows them. */
export const notificationGroups = notificationGroupTitles.map(title => ({
  title,
  types: notificationTypes.filter(type => notificationDefinitions[type].group === title),
}))
