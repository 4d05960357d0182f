/** Moving along the charts' time axis: the cursor, what it marks, the zoom. */
import * as z from 'zod/mini'
import { charts, cursor } from '../../store/charts.ts'
import { byKey, moves, offered, whileHere } from './needs.ts'
import { defineCommand } from '../core/defineCommand.ts'
import { moveCommands, type Move } from '../core/moveCommands.ts'

const whileZoomed = whileHere(() => charts.zoom !== undefined, 'All of it is shown')
/** In a table these keys scroll, and there is no cursor to be seen. */
const hasLines = () => !charts.table || charts.enlarged !== undefined
const noLines = 'Show the lines first'
const onLines = { ...byKey, needs: whileHere(hasLines, noLines) } as const

type CursorMove = 'right' | 'left' | 'forward' | 'back' | 'first' | 'last'

/** Returns the moves of the cursor; with `marking` they mark what the cursor passes. */
const cursorMoves = (marking: boolean): readonly Move<CursorMove | `${CursorMove}Marked`>[] =>
  (
    [
      ['right', 'next moment', 'ArrowRight', 1],
      ['left', 'moment before', 'ArrowLeft', -1],
      ['forward', 'tenth moment from here', 'PageDown', 10],
      ['back', 'tenth moment before', 'PageUp', -10],
      ['first', 'first moment', 'Home', -Infinity],
      ['last', 'last moment', 'End', Infinity],
    ] as const
  ).map(([name, to, key, by]) => ({
    name: marking ? `${name}Marked` : name,
    title: `${marking ? 'Mark up' : 'Cursor'} to the ${to}`,
    keys: marking ? `shift+${key}` : key,
    by,
    short: name === 'right' ? (marking ? 'mark' : 'cursor') : undefined,
  }))

export const chartCursorCommands = [
  defineCommand({
    ...offered,
    id: 'charts.zoomIn',
    title: 'Zoom in',
    on: ['chartsZoom'],
    icon: 'zoomIn',
    keys: '+',
    needs: onLines.needs,
    run: moves(to => to.zoomBy(0.5)),
  }),
  defineCommand({
    ...offered,
    id: 'charts.zoomOut',
    title: 'Zoom out',
    on: ['chartsZoom'],
    icon: 'zoomOut',
    keys: '-',
    needs: whileZoomed,
    run: moves(to => to.zoomBy(2)),
  }),
  defineCommand({
    ...offered,
    id: 'charts.zoomReset',
    title: 'Reset the zoom',
    on: ['chartsZoom'],
    icon: 'reset',
    keys: '0',
    needs: whileZoomed,
    run() {
      charts.zoom = undefined
    },
  }),
  ...[false, true].flatMap(marking =>
    moveCommands('charts', onLines, cursorMoves(marking), (_, by) => moves(to => to.moveCursor(by, marking))()),
  ),
  defineCommand({
    ...onLines,
    id: 'charts.nextNotification',
    on: ['status'],
    short: 'notification',
    title: 'Cursor to the next notification',
    keys: 'j',
    run: moves(to => to.moveToMark(1)),
  }),
  defineCommand({
    ...onLines,
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
      () => hasLines() && (cursor.anchor !== undefined || cursor.marks.some(({ x }) => x === cursor.x)),
      'Mark a stretch first: Shift with the arrow keys',
    ),
    run: async (_, __, services) => (await import('./actions.ts')).enter(services),
  }),
  defineCommand({
    ...byKey,
    id: 'charts.notification',
    title: 'Go to a notification',
    args: z.object({ id: z.string() }),
    run: async (_, { id }, services) => (await import('./actions.ts')).showNotification(id, services),
  }),
  defineCommand({
    ...byKey,
    id: 'charts.escape',
    title: 'Undo the mark, the zoom, the enlargement, the cursor',
    keys: 'Escape',
    run: moves(to => to.goBack()),
  }),
]
