/** Going places. Who may see a place stands in the route table; a command asks it. */
import type { Route } from '../../domain/lists/route.ts'
import { routes, type RouteId } from '../../domain/lists/routes.ts'
import { defineCommand } from '../core/defineCommand.ts'
import { nothing } from '../core/needs.ts'

export const navigateCommands = (Object.keys(routes) as RouteId[]).map(id => {
  const { path, title, icon, keys, roles, offeredTo, keywords, section }: Route = routes[id]
  return defineCommand({
    id: `go.${id}`,
    title,
    group: 'go',
    icon,
    ...(keys && { keys }),
    ...(keywords && { keywords }),
    // Not all of the others have room in the top bar of a small screen.
    on: [section ? 'navigation' : 'account'],
    roles: offeredTo ?? roles,
    needs: nothing,
    run: (_target, _args, { go }) => go(path),
  })
})
