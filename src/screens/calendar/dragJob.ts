/** Moves scheduled jobs in the library's views, with the mouse and by keys. */
import { droppedStart, movableJob, shownStart, stopMoving } from '../../commands/calendar/moveJob.ts'
import { run } from '../../commands/surfaces/run/run.ts'
import { draggedStart, type Place } from '../../domain/calendar/moves.ts'
import { msPerDay, msPerMinute } from '../../domain/time.ts'
import { calendar } from '../../store/calendar.ts'
import { ignoreClick, trackPointer } from '../../ui/trackPointer.ts'

/** While a job is dragged within this distance of the view's edge, the view scrolls by this many pixels a frame. */
const edge = 36
const scrollStep = 10

/** Follows a press of the mouse on a scheduled job, which may become a drag. */
export function pressInGrid(press: PointerEvent, root: HTMLElement): void {
  const element = press.target instanceof Element ? press.target.closest<HTMLElement>('.sx__event') : null
  const job = movableJob(element?.dataset.eventId)
  const from = placeAt(root, press.clientX, press.clientY)
  if (!job || !from || press.pointerType !== 'mouse' || press.button !== 0) return
  const start = shownStart(job)
  let pointer = { x: press.clientX, y: press.clientY }
  let frame = 0
  const follow = () => {
    scrollAtEdge(root, pointer)
    const to = placeAt(root, pointer.x, pointer.y)
    const wall = to && draggedStart(start, from, to)
    if (wall !== undefined && wall !== calendar.moving?.wall) calendar.moving = { job: job._id, wall, by: 'drag' }
    frame = requestAnimationFrame(follow)
  }
  // Dragging must not select text.
  press.preventDefault()
  element?.focus({ preventScroll: true })
  trackPointer(press, {
    move(at) {
      pointer = at
      if (frame === 0) follow()
    },
    end(isCancelled) {
      cancelAnimationFrame(frame)
      if (frame === 0) return
      ignoreClick()
      if (isCancelled) stopMoving(job._id)
      else dropJob()
    },
  })
}

/** Reschedules the job that is being moved to where it is. */
function dropJob(): void {
  if (!calendar.moving) return
  const { job, wall } = calendar.moving
  void run('calendar.moveJob', { input: { job, start: droppedStart(job, wall) } })
}

/** Drops a job that is moved by keys, or puts it back. Returns whether the key did so. */
export function keyWhileMoving(key: string): boolean {
  const { moving } = calendar
  if (moving?.by !== 'keys') return false
  if (key === 'Enter') dropJob()
  else if (key === 'Escape') stopMoving(moving.job)
  else return false
  return true
}

function scrollAtEdge(root: HTMLElement, { y }: { y: number }): void {
  const container = root.querySelector('.sx__view-container')
  if (!container) return
  const { top, bottom } = container.getBoundingClientRect()
  if (y > bottom - edge) container.scrollTop += scrollStep
  if (y < top + edge) container.scrollTop -= scrollStep
}

/** Returns the day and time at a point; outside the days the nearest one of a week, and nothing in a month. */
function placeAt(root: HTMLElement, x: number, y: number): Place | undefined {
  const columns = [...root.querySelectorAll<HTMLElement>('.sx__time-grid-day')]
  const column = columns.find(one => x < one.getBoundingClientRect().right) ?? columns.at(-1)
  if (column) {
    const { top, height } = column.getBoundingClientRect()
    const day = column.dataset.timeGridDate
    return day === undefined ? undefined : { day, minutes: ((y - top) / height) * (msPerDay / msPerMinute) }
  }
  const cell = [...root.querySelectorAll<HTMLElement>('.sx__month-grid-day')].find(one => {
    const { left, right, top, bottom } = one.getBoundingClientRect()
    return left <= x && x < right && top <= y && y < bottom
  })
  return cell?.dataset.date === undefined ? undefined : { day: cell.dataset.date }
}
