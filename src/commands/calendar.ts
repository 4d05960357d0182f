/** The calendar: where it stands, and its events. */
import type { Command } from './command.ts'

export const calendarCommands: readonly Command[] = []
