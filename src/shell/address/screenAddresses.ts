/** The screens with URL parameters: how each reads and applies them, and which changes add a history entry. */
import { cachedList } from '../../api/hooks.ts'
import { jobs, outcomeFilters, type JobFilter } from '../../commands/core/runs/jobs.ts'
import { serverIdOf, shownEntry } from '../../commands/jobs/entries.ts'
import { taskStates } from '../../domain/columns/jobs.ts'
import { dayAt, inCalendar, visibleDays, todayIn, wallOf, type Day } from '../../domain/calendar/days.ts'
import { calendarViews, type CalendarView } from '../../domain/calendar/views.ts'
import type { LoadRange } from '../../domain/notifications/alarmLoad.ts'
import { notificationTypes } from '../../domain/notifications/types.ts'
import { systemTimeZone } from '../../domain/systemTimeZone.ts'
import type { ScreenId } from '../../domain/lists/routes.ts'
import { calendar, calendarView } from '../../store/calendar.ts'
import { chartLayouts, chartRanges, charts, chartZones, showTime } from '../../store/charts.ts'
import { lists, perEntity, type Entity } from '../../store/lists.ts'
import { notificationsView } from '../../store/notificationsView.ts'
import { loadRanges, overviewView } from '../../store/overview/view.ts'
import { listCodec, applyListParams, listParams, type ListParams } from './lists.ts'
import { oneOf, queryCodec, type QueryCodec } from './queryCodec.ts'

interface ScreenConfig<State> {
  readonly codec: QueryCodec<State>
  /** Returns the screen's current state. */
  current(): State
  apply(state: State): void
  /** Whether a change adds a history entry; always, if omitted. `before` and `after` differ. */
  isHistoryStep?(before: State, after: State): boolean
  /** Whether a change edits only the search text. */
  isSearchEdit?(before: State, after: State): boolean
}

/** A screen's URL parameters. Callers handle them as a query string; only this module knows their types. */
export interface ScreenAddress {
  /** Returns the query string of the screen's current state. */
  query(): string
  /** Applies a query string; omitted parameters get their default. */
  apply(query: string): void
  /** Whether a query string has valid parameters. */
  hasParams(query: string): boolean
  isHistoryStep(before: string, after: string): boolean
  isSearchEdit(before: string, after: string): boolean
}

function screenAddress<State extends object>(config: ScreenConfig<State>): ScreenAddress {
  const { encode, decode, defaults } = config.codec
  const stateOf = (query: string): State => ({ ...defaults, ...decode(query) })
  return {
    query: () => encode(config.current()),
    apply(query) {
      const state = stateOf(query)
      // An equal state is not applied, which keeps an amount as it was typed.
      if (encode(state) !== encode(config.current())) config.apply(state)
    },
    hasParams: query => Object.keys(decode(query)).length > 0,
    isHistoryStep: (before, after) => config.isHistoryStep?.(stateOf(before), stateOf(after)) ?? true,
    isSearchEdit: (before, after) => config.isSearchEdit?.(stateOf(before), stateOf(after)) ?? false,
  }
}

/** Whether two searches find the same rows. Without a search text, column and operator have no effect. */
const isSameSearch = (one: ListParams, other: ListParams): boolean =>
  one.search === other.search && (one.search === '' || (one.column === other.column && one.operator === other.operator))

const isSameOrder = (one: ListParams, other: ListParams): boolean =>
  one.sort === other.sort && one.direction === other.direction && one.limit === other.limit

/** Whether a page is past the end, for example after a deletion. The list then shows its last page instead. */
function isPastEnd(entity: Entity, { page }: ListParams): boolean {
  const list = lists[entity]
  const count = cachedList(entity, { ...list, page })?.count
  return page > 1 && count !== undefined && (page - 1) * list.limit >= count
}

const list = (entity: Entity): ScreenAddress =>
  screenAddress({
    codec: listCodec(entity),
    current: () => listParams(entity),
    apply: state => applyListParams(entity, state),
    isHistoryStep(before, after) {
      if (!isSameSearch(before, after) || !isSameOrder(before, after)) return true
      return before.page !== after.page && !isPastEnd(entity, before)
    },
    isSearchEdit: (before, after) =>
      before.search !== after.search &&
      after.search !== '' &&
      before.column === after.column &&
      before.operator === after.operator &&
      isSameOrder(before, after),
  })

/** Parses an ISO time within the calendar's range. Returns it in the store's format; undefined if it is invalid. */
function parseInstant(text: string): string | undefined {
  if (!/^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/.test(text)) return undefined
  const time = Date.parse(text)
  if (Number.isNaN(time)) return undefined
  const iso = new Date(time).toISOString()
  return inCalendar(iso.slice(0, 10)) ? iso : undefined
}

/** Parses a day within the calendar's range; undefined if it is invalid. */
function parseDay(text: string): Day | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || !inCalendar(text)) return undefined
  const wall = wallOf(text)
  // `Date` turns 30 February into a day in March.
  return !Number.isNaN(wall) && dayAt(wall) === text ? text : undefined
}

interface ChartsParams {
  readonly range: (typeof chartRanges)[number]
  readonly until: string | undefined
  readonly zone: (typeof chartZones)[number]
  readonly layout: (typeof chartLayouts)[number]
}

interface CalendarParams {
  readonly view: CalendarView | undefined
  readonly date: Day | undefined
}

interface NotificationsParams {
  /** The visible types, comma-separated; undefined for all. */
  readonly types: string | undefined
  readonly devices: 'selected' | undefined
  readonly findings: 'off' | undefined
}

interface OverviewParams {
  readonly range: LoadRange
}

interface JobsParams {
  readonly job: string | undefined
  readonly filter: JobFilter
}

/**
 * Returns the valid types of a comma-separated list, in a fixed order; undefined for all types, or if a non-empty list has
 * no valid type.
 */
function parseTypes(text: string): string | undefined {
  const names = text.split(',')
  const types = notificationTypes.filter(type => names.includes(type))
  if (types.length === notificationTypes.length) return undefined
  return types.length > 0 || text === '' ? types.join(',') : undefined
}

/** Returns the first visible day. */
const firstVisibleDay = ({ view, date }: CalendarParams): Day =>
  visibleDays(calendarView(view), date ?? todayIn(systemTimeZone(), Date.now())).first

export const screenAddresses: Readonly<Partial<Record<ScreenId, ScreenAddress>>> = {
  ...perEntity(list),
  charts: screenAddress({
    codec: queryCodec<ChartsParams>(
      { range: 'day', until: undefined, zone: 'viewer', layout: 'together' },
      {
        range: oneOf(chartRanges),
        until: parseInstant,
        zone: oneOf(chartZones),
        layout: oneOf(chartLayouts),
      },
    ),
    current: () => ({ range: charts.range, until: charts.until, zone: charts.zone, layout: charts.layout }),
    apply({ layout, ...time }) {
      charts.layout = layout
      showTime(time)
    },
  }),
  calendar: screenAddress({
    codec: queryCodec<CalendarParams>(
      { view: undefined, date: undefined },
      { view: oneOf(calendarViews), date: parseDay },
    ),
    current: () => ({ view: calendar.view, date: calendar.date }),
    apply: state => void Object.assign(calendar, state),
    // Among the visible days, only the focus moves.
    isHistoryStep: (before, after) =>
      calendarView(before.view) !== calendarView(after.view) || firstVisibleDay(before) !== firstVisibleDay(after),
  }),
  notifications: screenAddress({
    codec: queryCodec<NotificationsParams>(
      { types: undefined, devices: undefined, findings: undefined },
      { types: parseTypes, devices: oneOf<'selected'>(['selected']), findings: oneOf<'off'>(['off']) },
    ),
    current: () => ({
      types: parseTypes(notificationTypes.filter(type => !notificationsView.hidden.includes(type)).join(',')),
      devices: notificationsView.onlySelected ? 'selected' : undefined,
      findings: notificationsView.findings ? undefined : 'off',
    }),
    apply({ types, devices, findings }) {
      const visibleTypes = types?.split(',')
      notificationsView.hidden = visibleTypes ? notificationTypes.filter(type => !visibleTypes.includes(type)) : []
      notificationsView.onlySelected = devices === 'selected'
      notificationsView.findings = findings !== 'off'
    },
  }),
  overview: screenAddress({
    codec: queryCodec<OverviewParams>({ range: 'week' }, { range: oneOf(loadRanges) }),
    current: () => overviewView,
    apply: state => void Object.assign(overviewView, state),
  }),
  jobs: screenAddress({
    codec: queryCodec<JobsParams>(
      { job: undefined, filter: 'all' },
      {
        job: text => (/^[\w-]{1,60}$/.test(text) ? text : undefined),
        filter: oneOf<JobFilter>([...outcomeFilters, ...taskStates]),
      },
    ),
    // A filter names its job, because a newer job could be the default when the URL is opened.
    current: () => ({
      job:
        serverIdOf(jobs.view.job, jobs.list) ??
        jobs.view.job ??
        (jobs.view.filter === 'all' ? undefined : shownEntry()?.id),
      filter: jobs.view.filter,
    }),
    apply: state => void Object.assign(jobs.view, state, { target: undefined, at: 0 }),
    // From one job to another, only the focus moves.
    isHistoryStep: (before, after) => before.filter !== after.filter && (before.job ?? after.job) === after.job,
  }),
}
