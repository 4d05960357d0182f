// Writes all commands as JSON. Tests in Node cannot import the commands themselves, because these need a page.
import { JSDOM } from 'jsdom'

const { window } = new JSDOM('', { url: 'http://localhost/' })
const { document, localStorage } = window
const matchMedia = () => ({ matches: false, addEventListener: () => undefined })
Object.assign(window, { matchMedia })
Object.assign(globalThis, { window, document, localStorage, matchMedia })

await import('../../../src/commands/initialCommands.ts')
const { commands, loadAllCommands } = await import('../../../src/commands/core/registry.ts')
const { defaultKeysOf } = await import('../../../src/commands/keys/bindings.ts')
await loadAllCommands()
const facts = commands.map(command => ({
  id: command.id,
  roles: command.roles,
  keys: defaultKeysOf(command),
  keysOnly: command.keysOnly,
  screen: command.screen,
}))
process.stdout.write(JSON.stringify(facts), () => process.exit())
