/** Lazily loaded components. */
import { lazy, type ComponentType, type LazyExoticComponent } from 'react'
import { importWithRetry } from '../../../api/importWithRetry.ts'
import { afterFirstRows } from '../../../store/firstRows.ts'
import { loadAllCommands } from '../../core/registry.ts'

/** Returns a component of a module that is loaded at the first render. Unlike React.lazy, retries failed loads. */
export const lazily = <Module, Props extends object>(
  load: () => Promise<Module>,
  choose: (module: Module) => ComponentType<Props>,
): LazyExoticComponent<ComponentType<Props>> => lazy(async () => ({ default: choose(await importWithRetry(load)) }))

/** Like `lazily`, for components that show any commands: loads after the deferred commands. */
export const lazilyWithCommands = <Module, Props extends object>(
  load: () => Promise<Module>,
  choose: (module: Module) => ComponentType<Props>,
): LazyExoticComponent<ComponentType<Props>> => lazily(() => loadAllCommands().then(load), choose)

/** Like `lazilyWithCommands`, but starts after the first rows have been shown, to leave them the bandwidth. */
export const lazilyAfterRows = <Module, Props extends object>(
  load: () => Promise<Module>,
  choose: (module: Module) => ComponentType<Props>,
): LazyExoticComponent<ComponentType<Props>> => lazily(() => afterFirstRows().then(loadAllCommands).then(load), choose)
