/** Notifications: which are shown, and what answers them. */
import type { Command } from './command.ts'

export const notificationCommands: readonly Command[] = []
