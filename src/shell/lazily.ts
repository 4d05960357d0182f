import { lazy, type ComponentType, type LazyExoticComponent } from 'react'

/** A named export that is loaded when it is first shown. */
export const lazily = <Name extends string, Props extends object>(
  load: () => Promise<Record<Name, ComponentType<Props>>>,
  name: Name,
): LazyExoticComponent<ComponentType<Props>> => lazy(() => load().then(module => ({ default: module[name] })))
