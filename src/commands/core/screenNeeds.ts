/** Needs of a screen, and of what is found on it. */
import { placeOf, routes, type RouteId } from '../../domain/lists/routes.ts'
import type { Needs } from './types.ts'

/** Returns a need that a screen alone meets. */
export const onPlace =
  (place: RouteId): Needs<undefined> =>
  ({ path }) =>
    placeOf(path) === place ? { target: undefined } : { blocked: `Open the ${routes[place].title.toLowerCase()} first` }

/** Returns `needs`, blocked where `reasonAgainst` gives a reason against its target. */
export const unless =
  <Target>(needs: Needs<Target>, reasonAgainst: (target: Target) => string | undefined): Needs<Target> =>
  context => {
    const need = needs(context)
    const reason = 'blocked' in need ? need.blocked : reasonAgainst(need.target)
    return reason === undefined ? need : { blocked: reason }
  }

/** Returns `needs`, blocked with the reason where the test fails. */
export const when = <Target>(needs: Needs<Target>, test: (target: Target) => boolean, reason: string): Needs<Target> =>
  unless(needs, target => (test(target) ? undefined : reason))

/** Returns a need for what `find` returns, where `needs` is met; blocked with the reason where it finds nothing. */
export const whenFound =
  <Target>(needs: Needs<unknown>, find: () => Target | undefined, reason: string): Needs<Target> =>
  context => {
    const need = needs(context)
    if ('blocked' in need) return need
    const target = find()
    return target === undefined ? { blocked: reason } : { target }
  }
