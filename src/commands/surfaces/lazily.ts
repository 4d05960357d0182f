/** Parts of the console that are loaded when they are first shown. */
import { lazy, type ComponentType, type LazyExoticComponent } from 'react'
import { consoleServed } from '../../api/consoleServed.ts'
import { withAllCommands } from '../registry.ts'

/** Milliseconds between two attempts while the server is out of reach. */
const pause = 2000

/** Asks for it until it is there. Rejects where the server has it no longer: a newer console took its place. */
async function inTheEnd<Module>(load: () => Promise<Module>): Promise<Module> {
  try {
    return await load()
  } catch {
    if (await consoleServed()) return load()
    await new Promise(resolve => setTimeout(resolve, pause))
    return inTheEnd(load)
  }
}

/** One of a module that is loaded when it is first shown; React would keep a failure as long as the page is open. */
export const lazily = <Module, Props extends object>(
  load: () => Promise<Module>,
  choose: (module: Module) => ComponentType<Props>,
): LazyExoticComponent<ComponentType<Props>> => lazy(async () => ({ default: choose(await inTheEnd(load)) }))

/** One that offers commands, whichever: it is loaded when all of them are there. */
export const lazilyWithCommands = <Module, Props extends object>(
  load: () => Promise<Module>,
  choose: (module: Module) => ComponentType<Props>,
): LazyExoticComponent<ComponentType<Props>> => lazily(() => withAllCommands().then(load), choose)
