/** Commands that move the cursor along the charts' time axis, mark ranges, and zoom. */
import * as z from 'zod/mini'
import { charts, cursor } from '../../store/charts.ts'
import { chartsCommand, chartsKeyCommand, loadActions, onChartsWhen, runAction } from './needs.ts'
import { defineCommand } from '../core/defineCommand.ts'
import { moveCommands, type Move } from '../core/moveCommands.ts'

const whenZoomed = onChartsWhen(() => charts.zoom !== undefined, 'The charts are not zoomed')
/** Whether lines are shown. A table has no cursor, and these keys scroll it. */
const hasLines = () => !charts.table || charts.enlargedChart !== undefined
const noLines = 'Show the lines first'
const onLines = { ...chartsKeyCommand, needs: onChartsWhen(hasLines, noLines) } as const

type CursorMove = 'right' | 'left' | 'forward' | 'back' | 'first' | 'last'

/** Returns the moves of the cursor; with `marking`, a move also marks the range that the cursor passes. */
const cursorMoves = (marking: boolean): readonly Move<CursorMove | `${CursorMove}Marked`>[] =>
  (
    [
      ['right', 'right', 'ArrowRight', 1],
      ['left', 'left', 'ArrowLeft', -1],
      ['forward', 'ten steps right', 'PageDown', 10],
      ['back', 'ten steps left', 'PageUp', -10],
      ['first', 'to start', 'Home', -Infinity],
      ['last', 'to end', 'End', Infinity],
    ] as const
  ).map(([name, direction, key, by]) => ({
    name: marking ? `${name}Marked` : name,
    title: `${marking ? 'Extend range' : 'Move cursor'} ${direction}`,
    keys: marking ? `shift+${key}` : key,
    by,
    short: name === 'right' ? (marking ? 'mark' : 'cursor') : undefined,
  }))

export const chartCursorCommands = [
  defineCommand({
    ...chartsCommand,
    id: 'charts.zoomIn',
    title: 'Zoom in',
    on: ['chartsZoom'],
    icon: 'zoomIn',
    keys: '+',
    needs: onLines.needs,
    run: runAction(actions => actions.zoomBy(0.5)),
  }),
  defineCommand({
    ...chartsCommand,
    id: 'charts.zoomOut',
    title: 'Zoom out',
    on: ['chartsZoom'],
    icon: 'zoomOut',
    keys: '-',
    needs: whenZoomed,
    run: runAction(actions => actions.zoomBy(2)),
  }),
  defineCommand({
    ...chartsCommand,
    id: 'charts.zoomReset',
    title: 'Reset zoom',
    on: ['chartsZoom'],
    icon: 'reset',
    keys: '0',
    needs: whenZoomed,
    run() {
      charts.zoom = undefined
    },
  }),
  ...[false, true].flatMap(marking =>
    moveCommands('charts', onLines, cursorMoves(marking), (_, by) =>
      runAction(actions => actions.moveCursor(by, marking))(),
    ),
  ),
  defineCommand({
    ...onLines,
    id: 'charts.nextNotification',
    on: ['status'],
    short: 'notification',
    title: 'Move cursor to next notification',
    keys: 'j',
    run: runAction(actions => actions.moveToNotification(1)),
  }),
  defineCommand({
    ...onLines,
    id: 'charts.previousNotification',
    title: 'Move cursor to previous notification',
    keys: 'k',
    run: runAction(actions => actions.moveToNotification(-1)),
  }),
  defineCommand({
    ...chartsKeyCommand,
    id: 'charts.enter',
    title: 'Zoom to marked range, or open notification',
    keys: 'Enter',
    needs: onChartsWhen(
      () => hasLines() && (cursor.anchor !== undefined || cursor.notifications.some(({ x }) => x === cursor.x)),
      'Mark a range first: Shift with the arrow keys',
    ),
    run: async (_, __, services) => (await loadActions()).zoomOrOpen(services),
  }),
  defineCommand({
    ...chartsKeyCommand,
    id: 'charts.notification',
    title: 'Go to notification',
    args: z.object({ id: z.string() }),
    run: async (_, { id }, services) => (await loadActions()).showNotification(id, services),
  }),
  defineCommand({
    ...chartsKeyCommand,
    id: 'charts.escape',
    title: 'Reset charts',
    keys: 'Escape',
    run: runAction(actions => actions.escape()),
  }),
]
