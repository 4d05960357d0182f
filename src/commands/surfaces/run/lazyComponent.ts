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

/**
 * Returns a component that renders nothing until its module is loaded, `preload`, which loads it before the first
 * render, and whether it is loaded. For what a key opens: React shows what suspended up to 300 ms late, so that the page does not flicker.
 */
export function overlayComponent<Module, Props extends object>(
  load: () => Promise<Module>,
  choose: (module: Module) => ComponentType<Props>,
): ComponentType<Props> & { preload: () => Promise<void>; isLoaded: () => boolean } {
  let loaded: ComponentType<Props> | undefined
  const preload = async () => {
    loaded ??= choose(await importWithRetry(load))
  }
  function Overlay(props: Props) {
    const [result, setResult] = useState<{ readonly error?: unknown }>()
    useEffect(() => {
      if (!loaded)
        preload().then(
          () => setResult({}),
          (error: unknown) => setResult({ error }),
        )
    }, [])
    if (result && 'error' in result) throw result.error
    return loaded ? createElement(loaded, props) : null
  }
  return Object.assign(Overlay, { preload, isLoaded: () => loaded !== undefined })
}
