/** The command that is offered with a notification. Loaded with the screens that offer it. */
import type { Notification } from '../../api/contract/notifications.ts'
import { notificationDefinitions } from '../../domain/notifications/definitions.ts'
import type { NotificationType } from '../../domain/notifications/types.ts'
import type { CommandId } from '../core/commandId.ts'
import type { IconName } from '../core/iconName.ts'

export interface SuggestedAction {
  readonly title: string
  readonly icon: IconName
  /** Its id; the command runs for the notification's device. */
  readonly command: CommandId
  /** The command's input; the command asks for what is missing. */
  readonly input?: (of: Notification) => unknown
}

/** Returns the action of a type. The domain knows no commands and names them by text; a test looks each of them up. */
export const suggestedAction = (type: NotificationType): SuggestedAction =>
  notificationDefinitions[type].action as SuggestedAction
