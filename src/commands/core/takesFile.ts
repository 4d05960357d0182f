import * as z from 'zod/mini'
import type { Command } from './types.ts'

/** Whether a command has a file argument, which cannot be typed. */
export const takesFile = (command: Command): boolean =>
  command.fields.some(({ schema }) => schema instanceof z.ZodMiniFile)
