/** Needs for a screen and for its state. */
import { screenAt, routes, type RouteId } from '../../domain/lists/routes.ts'
import type { Needs } from './types.ts'

/** Returns a need that is met on one screen only. */
export const onScreen =
  (screen: RouteId): Needs<undefined> =>
  ({ path }) =>
    screenAt(path) === screen
      ? { target: undefined }
      : { blocked: `Open the ${routes[screen].title.toLowerCase()} first` }

/** Returns `needs`, blocked if `reasonAgainst` returns a reason for its target. */
export const unless =
  <Target>(needs: Needs<Target>, reasonAgainst: (target: Target) => string | undefined): Needs<Target> =>
  context => {
    const need = needs(context)
    const reason = 'blocked' in need ? need.blocked : reasonAgainst(need.target)
    return reason === undefined ? need : { blocked: reason }
  }

/** Returns `needs`, blocked with the reason if the test fails for its target. */
export const when = <Target>(needs: Needs<Target>, test: (target: Target) => boolean, reason: string): Needs<Target> =>
  unless(needs, target => (test(target) ? undefined : reason))

/**
 * Returns a need whose target is the result of `find`, once `needs` is met; blocked with the reason if `find` returns
 * nothing.
 */
export const whenFound =
  <Target>(needs: Needs<unknown>, find: () => Target | undefined, reason: string): Needs<Target> =>
  context => {
    const need = needs(context)
    if ('blocked' in need) return need
    const target = find()
    return target === undefined ? { blocked: reason } : { target }
  }
