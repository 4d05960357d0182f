/** Tests look at all commands, those too that the console loads later. */
import { withAllCommands } from '../../../src/commands/commands.ts'

await withAllCommands()
