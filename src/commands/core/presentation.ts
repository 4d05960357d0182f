/** How a command is presented: its title, icon, keys and group, and the surfaces that offer it. */
import type { StatusCode } from '../../domain/device.ts'
import type { ScreenId } from '../../domain/lists/routes.ts'
import type { Entity } from '../../store/lists.ts'
import type { IconName } from '../../domain/iconName.ts'
import type { PagePart } from './page.ts'

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
 * The surfaces that offer a command, besides the palette and, if it has keys, the key sheet. One component draws each
 * surface from `commandsOn`, in the order of the definitions.
 *
 * Not a surface, but placed by the component that shows it, is a control that belongs to one thing or moment there:
 * - of one row, card, chip, section or toast, run with that thing as its input or made current first: a script's Edit, a
 *   session's End, a run's Undo; the columns of a list, which repeat a command for each; the link of a section to its screen
 * - beside one value, or a form about it: a setting's Change, a second factor's steps
 * - in place of what is missing: Retry after a failure, the first step of an empty screen, Show more under a list
 * - with a look of its own: the palette's field and the badge of jobs in the top bar
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
  | 'columns'
  | 'listMore'
  | 'listExport'
  | 'chartsMore'
  // The frame
  | 'status'
  | 'topBarStart'
  | 'topBarEnd'
  | 'topBarLinks'
  | 'navigation'
  | 'panelToggle'
  | 'panelHead'
  // Lists
  | 'toolbar'
  | 'pager'
  | 'selection'
  // Screens
  | 'device'
  | 'deviceHead'
  | 'deviceSteps'
  | 'health'
  | 'healthRange'
  | 'chartsRange'
  | 'chartsTime'
  | 'chartsZoom'
  | 'chartsShow'
  | 'chartsDevices'
  | 'calendar'
  | 'calendarFilters'
  | 'calendarTime'
  | 'calendarViews'
  | 'event'
  | 'notifications'
  | 'notificationFilters'
  | 'overview'
  | 'overviewRange'
  | 'jobs'
  | 'job'
  | 'jobHead'
  | 'scripts'
  | 'units'
  | 'keys'
  | 'keySheet'
  | 'tour'
  | 'profile'
  | 'recoveryCodes'
  | 'newApiKey'
  | 'sessions'
  // Dialogs
  | 'credentials'
  | 'sharingCode'

export interface Presentation {
  readonly id: `${string}.${string}`
  readonly title: string
  readonly group: Group
  readonly icon?: IconName
  /** A chord or sequence, or several alternatives; the first is shown. */
  readonly keys?: string | readonly string[]
  readonly keywords?: readonly string[]
  readonly on?: readonly Surface[]
  /** The entity whose rows it acts on; that entity's list offers it. */
  readonly entity?: Entity
  /**
   * Whether it reads or changes a selection. Such a command starts once earlier changes of the selection have ended. A
   * command with an entity always reads the selection.
   */
  readonly selection?: 'reads' | 'changes'
  /** The only screen on which its keys work; on others they may belong to another command. */
  readonly screen?: ScreenId
  /** The part of the page in which the focus must be for its keys to work. */
  readonly within?: PagePart
  /** It acts on the list on screen; its keys work only on list screens. */
  readonly inList?: boolean
  /** A short label for the status bar. */
  readonly short?: string
  /** Left out of the palette: moving between rows makes no sense there. */
  readonly keysOnly?: boolean
  /**
   * Not recorded as a step of a script: it manages the console itself, only opens something, or runs another command.
   */
  readonly recordable?: false
  /** The device states for which the palette suggests it first, when such a device is selected. */
  readonly suggestedFor?: readonly StatusCode[]
  /** What it does to a target, as it completes the sentence ‘3 will …’ of a preview; `change` if there is none. */
  readonly effect?: string
  /** Destructive, so it is drawn in red. */
  readonly danger?: boolean
}
