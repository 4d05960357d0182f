/** The command that is offered with each type of notification. Loaded with the screens that offer it. */
import type { Notification } from '../../api/contract/notifications.ts'
import { notificationDefinitions } from '../../domain/notifications/definitions.ts'
import type { NotificationType } from '../../domain/notifications/types.ts'
import type { CommandId } from '../core/commandId.ts'
import type { IconName } from '../../domain/iconName.ts'

export interface SuggestedAction {
  readonly title: string
  readonly icon: IconName
  /** The command's id; it runs on the notification's device. */
  readonly command: CommandId
  /** Returns the command's input; the command prompts for missing arguments. */
  readonly input?: (notification: Notification) => unknown
}

/**
 * Returns the action of a type. The domain cannot import commands and has their ids and icons as text; that these exist is
 * checked here, by their types.
 */
export const suggestedAction = (type: NotificationType): SuggestedAction => notificationDefinitions[type].action
