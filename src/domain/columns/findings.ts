/** Columns of the list of findings about the health of devices. */
import { causeLabels, causeNames } from '../health/texts/causeNames.ts'
import type { Columns } from './column.ts'
import { typedKeys } from '../lib/typedKeys.ts'

/** `shelved`: for some days, until it has grown by half. `dismissed`: a person says that nothing is wrong. */
export const findingStateNames = {
  open: 'Open',
  shelved: 'Shelved',
  resolved: 'Resolved',
  dismissed: 'Dismissed',
} as const
export type FindingState = keyof typeof findingStateNames
export const findingStates = typedKeys(findingStateNames)

export const severityNames = { act: 'Act', watch: 'Watch' } as const
export type Severity = keyof typeof severityNames
export const severities = typedKeys(severityNames)

export const findingColumns = {
  bssid: { label: 'Device', kind: 'text', width: 144 },
  cause: { label: 'Finding', kind: 'choice', names: causeLabels, width: 168 },
  description: { label: 'Description', kind: 'text', width: 180 },
  confidence: { label: 'Confidence', kind: 'number', unit: '%', digits: 0, width: 110 },
  severity: { label: 'Severity', kind: 'choice', names: severityNames, width: 80 },
  state: { label: 'State', kind: 'choice', names: findingStateNames, width: 92 },
  verdict: { label: 'Confirmed cause', kind: 'choice', names: { none: 'None', ...causeNames }, width: 144 },
  began_at: { label: 'Began', kind: 'time', timeFormat: 'day', width: 108 },
  detected_at: { label: 'Found', kind: 'time', timeFormat: 'day', width: 108 },
  told_at: { label: 'Notified', kind: 'time', timeFormat: 'date', width: 108, hidden: true },
  company_name: { label: 'Company', kind: 'text', path: 'vendor.company_name', width: 152 },
  reason: { label: 'Reason', kind: 'text', width: 220 },
  login: { label: 'Account', kind: 'text', width: 150, hidden: true },
} as const satisfies Columns
