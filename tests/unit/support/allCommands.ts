/** Loads all commands, including the deferred ones. */
import '../../../src/commands/commands.ts'
import { loadAllCommands } from '../../../src/commands/core/registry.ts'

await loadAllCommands()
