/** Files of what is charted or listed. */
import type { Command } from './command.ts'

export const exportCommands: readonly Command[] = []
