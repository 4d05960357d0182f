/** Loads all commands, including the deferred ones. */
import '../../../src/commands/initialCommands.ts'
import { loadAllCommands } from '../../../src/commands/core/registry.ts'

await loadAllCommands()
