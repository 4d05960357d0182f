/** Tests look at all commands, those too that the console loads later. */
import { loadAllCommands } from '../../../src/commands/commands.ts'

await loadAllCommands()
