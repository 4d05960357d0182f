/** All commands, for what the registry's own commands need of it and so cannot import it. The registry fills it. */
import type { Command } from './command.ts'

export const allCommands: Command[] = []

/** The command of that id, where there is one. */
export const commandWith = (id: string): Command | undefined => allCommands.find(command => command.id === id)
