/** Lazily loaded components. */
import { createElement, lazy, useEffect, useState, type ComponentType, type LazyExoticComponent } from 'react'
import { importWithRetry } from '../../../api/importWithRetry.ts'
import { afterFirstRowsIdle } from '../../../store/firstRows.ts'
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

/** Like `lazyWithCommands`, but starts when the page is idle after the first rows, to leave them and the palette the time. */
export const lazyAfterRows = <Module, Props extends object>(
  load: () => Promise<Module>,
  choose: (module: Module) => ComponentType<Props>,
): LazyExoticComponent<ComponentType<Props>> =>
  lazyComponent(() => afterFirstRowsIdle().then(loadAllCommands).then(load), choose)

/** What an overlay does until its module is loaded: what it shows, and what happens if the module cannot be loaded. */
interface WhileLoading {
  readonly Frame: ComponentType
  failed(error: unknown): void
}

/**
 * Returns a component that renders nothing, or the frame of `whileLoading`, until its module is loaded, and `preload`, which
 * loads it before the first render. For what a key opens: React shows what suspended up to 300 ms late, so that the page
 * does not flicker. Without `whileLoading`, a module that cannot be loaded is an error of the page.
 */
export function overlayComponent<Module, Props extends object>(
  load: () => Promise<Module>,
  choose: (module: Module) => ComponentType<Props>,
  whileLoading?: WhileLoading,
): ComponentType<Props> & { preload: () => Promise<void> } {
  let loaded: ComponentType<Props> | undefined
  const preload = async () => {
    loaded ??= choose(await importWithRetry(load))
  }
  function Overlay(props: Props) {
    const [result, setResult] = useState<{ readonly error?: unknown }>()
    useEffect(() => {
      if (!loaded)
        preload().then(() => setResult({}), whileLoading?.failed ?? ((error: unknown) => setResult({ error })))
    }, [])
    if (result && 'error' in result) throw result.error
    if (loaded) return createElement(loaded, props)
    return whileLoading ? createElement(whileLoading.Frame) : null
  }
  return Object.assign(Overlay, { preload })
}
