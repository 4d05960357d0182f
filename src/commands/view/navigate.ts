/** Going places. Who may see a place stands in the route table; a command asks it. */
import type { Route } from '../../domain/route.ts'
import { routes, type RouteId } from '../../domain/routes.ts'
import { defineCommand } from '../core/command.ts'
import { nothing } from '../core/needs.ts'

export const navigateCommands = (Object.keys(routes) as RouteId[]).map(id => {
  const { path, title, icon, keys, roles, offeredTo, keywords }: Route = routes[id]
  return defineCommand({
    id: `go.${id}`,
    title,
    group: 'go',
    icon,
    ...(keys && { keys }),
    ...(keywords && { keywords }),
    on: ['navigation'],
    roles: offeredTo ?? roles,
    needs: nothing,
    run: (_target, _args, { go }) => go(path),
  })
})
