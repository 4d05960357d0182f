/** Tests look at all commands, those too that the console loads later. */
import '../../../src/commands/commands.ts'
import { loadAllCommands } from '../../../src/commands/core/registry.ts'

await loadAllCommands()
