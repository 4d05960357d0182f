/** The command that is offered with a notification. Loaded with the screens that offer it. */
import { notificationDefinitions } from '../../domain/notifications/definitions.ts'
import type { NotificationType } from '../../domain/notifications/types.ts'
import type { Notification } from '../../api/contract/notifications.ts'
import type { IconName } from '../core/iconName.ts'

export interface SuggestedAction {
  readonly title: string
  readonly icon: IconName
  /** Its id; the command runs for the notification's device. */
  readonly command: string
  /** The command's input; the command asks for what is missing. */
  readonly input?: (of: Notification) => unknown
}

export const suggestedAction = (type: NotificationType): SuggestedAction => notificationDefinitions[type].action
