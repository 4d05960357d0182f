/** Parts of the console that are loaded when they are first shown. */
import { lazy, type ComponentType, type LazyExoticComponent } from 'react'
import { loadPart } from '../../../api/loadPart.ts'
import { afterFirstRows } from '../../../store/firstRows.ts'
import { loadAllCommands } from '../../core/registry.ts'

/** One of a module that is loaded when it is first shown; React would keep a failure as long as the page is open. */
export const lazily = <Module, Props extends object>(
  load: () => Promise<Module>,
  choose: (module: Module) => ComponentType<Props>,
): LazyExoticComponent<ComponentType<Props>> => lazy(async () => ({ default: choose(await loadPart(load)) }))

/** One that offers commands, whichever: it is loaded when all of them are there. */
export const lazilyWithCommands = <Module, Props extends object>(
  load: () => Promise<Module>,
  choose: (module: Module) => ComponentType<Props>,
): LazyExoticComponent<ComponentType<Props>> => lazily(() => loadAllCommands().then(load), choose)

/** One that offers commands, and that the first rows do without: it does not compete with theirs. */
export const lazilyAfterRows = <Module, Props extends object>(
  load: () => Promise<Module>,
  choose: (module: Module) => ComponentType<Props>,
): LazyExoticComponent<ComponentType<Props>> => lazily(() => afterFirstRows().then(loadAllCommands).then(load), choose)
