/** A device on a screen of its own: its neighbours in the list it was opened from. */
import type { Command } from './command.ts'

export const deviceScreenCommands: readonly Command[] = []
