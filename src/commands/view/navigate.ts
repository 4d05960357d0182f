/** A navigation command for each route. The route table defines which roles may open a screen. */
import type { Route } from '../../domain/lists/route.ts'
import { routes, type RouteId } from '../../domain/lists/routes.ts'
import { definePlainCommand } from '../core/buildCommand.ts'
import { nothing } from '../core/needs.ts'

export const navigateCommands = (Object.keys(routes) as RouteId[]).map(id => {
  const { path, title, icon, keys, roles, keywords, section }: Route = routes[id]
  return definePlainCommand({
    id: `go.${id}`,
    title,
    group: 'go',
    icon,
    ...(keys && { keys }),
    ...(keywords && { keywords }),
    // Routes without a section are in the account menu, because the top bar of a small screen has no room for them.
    on: section ? ['navigation'] : id === 'settings' ? ['account', 'topBarLinks'] : ['account'],
    // Scripts manage recordings, so opening them is not recorded.
    ...(id === 'scripts' && { recordable: false as const }),
    roles,
    needs: nothing,
    run: (_target, _args, { go }) => go(path),
  })
})
