/** Which keys give which commands. */
import type { Command } from './command.ts'

export const keyBindingCommands: readonly Command[] = []
