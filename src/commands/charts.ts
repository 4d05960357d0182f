/** The charts: range, time, zone, cursor. */
import type { Command } from './command.ts'

export const chartCommands: readonly Command[] = []
