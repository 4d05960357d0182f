/** Moving along the charts' time axis: the cursor, what it marks, the zoom. */
import * as z from 'zod/mini'
import { charts, cursor } from '../store/charts.ts'
import { byKey, moves, offered, whileHere } from './chartNeeds.ts'
import { defineCommand } from './command.ts'

const whileZoomed = whileHere(() => charts.zoom !== undefined, 'All of it is shown')

const cursorSteps = [
  ['right', 'next moment', 'ArrowRight', 1],
  ['left', 'moment before', 'ArrowLeft', -1],
  ['forward', 'tenth moment from here', 'PageDown', 10],
  ['back', 'tenth moment before', 'PageUp', -10],
  ['first', 'first moment', 'Home', -Infinity],
  ['last', 'last moment', 'End', Infinity],
] as const

export const chartCursorCommands = [
  defineCommand({
    ...offered,
    id: 'charts.zoomIn',
    title: 'Zoom in',
    icon: 'zoomIn',
    keys: '+',
    run: moves(to => to.zoomBy(0.5)),
  }),
  defineCommand({
    ...offered,
    id: 'charts.zoomOut',
    title: 'Zoom out',
    icon: 'zoomOut',
    keys: '-',
    needs: whileZoomed,
    run: moves(to => to.zoomBy(2)),
  }),
  defineCommand({
    ...offered,
    id: 'charts.zoomReset',
    title: 'Reset the zoom',
    icon: 'reset',
    keys: '0',
    needs: whileZoomed,
    run() {
      charts.zoom = undefined
    },
  }),
  ...cursorSteps.flatMap(([name, to, key, by]) =>
    [false, true].map(marking =>
      defineCommand({
        ...byKey,
        ...(name === 'right' && { on: ['charts', 'status'], short: marking ? 'mark' : 'cursor' }),
        id: `charts.${name}${marking ? 'Marked' : ''}`,
        title: `${marking ? 'Mark up' : 'Cursor'} to the ${to}`,
        keys: marking ? `shift+${key}` : key,
        run: moves(({ moveCursor }) => moveCursor(by, marking)),
      }),
    ),
  ),
  defineCommand({
    ...byKey,
    id: 'charts.nextNotification',
    on: ['charts', 'status'],
    short: 'notification',
    title: 'Cursor to the next notification',
    keys: 'j',
    run: moves(to => to.moveToMark(1)),
  }),
  defineCommand({
    ...byKey,
    id: 'charts.previousNotification',
    title: 'Cursor to the notification before',
    keys: 'k',
    run: moves(to => to.moveToMark(-1)),
  }),
  defineCommand({
    ...byKey,
    id: 'charts.enter',
    title: 'Zoom to what is marked, or open the notification',
    keys: 'Enter',
    needs: whileHere(
      () => cursor.anchor !== undefined || cursor.marks.some(({ x }) => x === cursor.x),
      'Mark a stretch first: Shift with the arrow keys',
    ),
    run: async (_, __, services) => (await import('./chartMoves.ts')).enter(services),
  }),
  defineCommand({
    ...byKey,
    id: 'charts.notification',
    title: 'Go to a notification',
    args: z.object({ id: z.string() }),
    run: async (_, { id }, services) => (await import('./chartMoves.ts')).showNotification(id, services),
  }),
  defineCommand({
    ...byKey,
    id: 'charts.escape',
    title: 'Undo the mark, the zoom, the enlargement, the cursor',
    keys: 'Escape',
    run: moves(to => to.goBack()),
  }),
]
