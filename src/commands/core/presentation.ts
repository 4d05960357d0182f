/** How a command is shown: its name and keys, where it is sorted, and on which surfaces it is offered. */
import type { StatusCode } from '../../domain/device.ts'
import type { Place } from '../../domain/lists/routes.ts'
import type { Entity } from '../../store/lists.ts'
import type { IconName } from './iconName.ts'

export const groups = {
  control: 'Control',
  settings: 'Settings',
  create: 'Create',
  list: 'List',
  go: 'Go to',
  view: 'View',
  insight: 'Insight',
  scripts: 'Scripts',
  account: 'Account',
} as const
export type Group = keyof typeof groups

/**
 * Where a command is offered besides the palette and, when it has keys, the key sheet. Each is drawn by one component
 * from `commandsOn`, in the order of the definitions.
 */
export type Surface =
  // The sections of the side panel
  | 'control'
  | 'settings'
  | 'update'
  | 'assign'
  | 'create'
  // Menus
  | 'row'
  | 'select'
  | 'account'
  // The frame
  | 'status'
  | 'navigation'
  | 'panelToggle'
  | 'panelHead'
  // Lists
  | 'toolbar'
  | 'pager'
  | 'selection'
  // Screens
  | 'device'
  | 'deviceSteps'
  | 'chartsRange'
  | 'chartsTime'
  | 'chartsZoom'
  | 'chartsShow'
  | 'calendar'
  | 'calendarTime'
  | 'calendarViews'
  | 'event'
  | 'notifications'
  | 'jobs'
  | 'job'
  | 'units'
  | 'keys'
  | 'profile'
  // Dialogs
  | 'scripts'

export interface Presentation {
  readonly id: `${string}.${string}`
  readonly title: string
  readonly group: Group
  readonly icon?: IconName
  /** One chord or sequence, or several that do the same; the first is shown. */
  readonly keys?: string | readonly string[]
  readonly keywords?: readonly string[]
  readonly on?: readonly Surface[]
  /** What it acts on, where it acts on something of a list; it is offered on that list's surfaces. */
  readonly entity?: Entity
  /** The screen it is about; elsewhere its keys mean something else, or nothing. */
  readonly place?: Place
  /** It acts on the list on screen; where there is none its keys mean nothing. */
  readonly inList?: boolean
  /** A short word for the status bar. */
  readonly short?: string
  /** Left out of the palette: moving the row there makes no sense. */
  readonly keysOnly?: boolean
  /** No step of a script: it is about the console’s own doings, only opens something, or gives another command. */
  readonly recordable?: false
  /** The states of a device that it answers: with such a device selected the palette offers it first. */
  readonly suggestedFor?: readonly StatusCode[]
  /** Red: it destroys. */
  readonly danger?: boolean
}
