import type { Command } from './types.ts'

/** Whether a command has a file argument, which cannot be typed. */
export const takesFile = (command: Command): boolean =>
  command.fields.some(({ schema }) => schema._zod.def.type === 'file')
