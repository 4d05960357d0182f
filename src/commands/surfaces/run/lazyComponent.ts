/** Lazily loaded components. */
import { lazy, type ComponentType, type LazyExoticComponent } from 'react'
import { importWithRetry } from '../../../api/importWithRetry.ts'
import { afterFirstRows } from '../../../store/firstRows.ts'
import { loadAllCommands } from '../../core/registry.ts'

/** Returns a component of a module that is loaded at the first render. Unlike React.lazy, retries failed loads. */
export const lazyComponent = <Module, Props extends object>(
  load: () => Promise<Module>,
  choose: (module: Module) => ComponentType<Props>,
): LazyExoticComponent<ComponentType<Props>> => lazy(async () => ({ default: choose(await importWithRetry(load)) }))

/** Like `lazyComponent`, for components that show any commands: loads after the deferred commands. */
export const lazyWithCommands = <Module, Props extends object>(
  load: () => Promise<Module>,
  choose: (module: Module) => ComponentType<Props>,
): LazyExoticComponent<ComponentType<Props>> => lazyComponent(() => loadAllCommands().then(load), choose)

/** Like `lazyWithCommands`, but starts after the first rows have been shown, to leave them the bandwidth. */
export const lazyAfterRows = <Module, Props extends object>(
  load: () => Promise<Module>,
  choose: (module: Module) => ComponentType<Props>,
): LazyExoticComponent<ComponentType<Props>> =>
  lazyComponent(() => afterFirstRows().then(loadAllCommands).then(load), choose)
