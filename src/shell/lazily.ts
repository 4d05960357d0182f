import { lazy, type ComponentType, type LazyExoticComponent } from 'react'
import { withAllCommands } from '../commands/registry.ts'

/** A named export that is loaded when it is first shown. */
export const lazily = <Name extends string, Props extends object>(
  load: () => Promise<Record<Name, ComponentType<Props>>>,
  name: Name,
): LazyExoticComponent<ComponentType<Props>> => lazy(() => load().then(module => ({ default: module[name] })))

/** One that offers commands, whichever: it is loaded when all of them are there. */
export const lazilyWithCommands = <Name extends string, Props extends object>(
  load: () => Promise<Record<Name, ComponentType<Props>>>,
  name: Name,
): LazyExoticComponent<ComponentType<Props>> => lazily(() => withAllCommands().then(load), name)
