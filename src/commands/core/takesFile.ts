import * as z from 'zod/mini'
import type { Command } from './types.ts'

/** Whether it asks for a file, which cannot be typed. */
export const takesFile = (command: Command): boolean =>
  command.fields.some(({ schema }) => schema instanceof z.ZodMiniFile)
