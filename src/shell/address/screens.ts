/** Which screens have parameters in their address: what each shows, how it is shown, and what Back goes back over. */
import { cachedList } from '../../api/hooks.ts'
import { jobs, outcomeFilters, type OutcomeFilter } from '../../commands/core/runs/jobs.ts'
import { dayAt, inCalendar, visibleDays, todayIn, wallOf, type Day } from '../../domain/calendar/days.ts'
import { calendarViews, type CalendarView } from '../../domain/calendar/views.ts'
import { notificationTypes } from '../../domain/notifications/types.ts'
import { systemTimeZone } from '../../domain/systemTimeZone.ts'
import type { Place } from '../../domain/lists/routes.ts'
import { calendar, calendarView } from '../../store/calendar.ts'
import { chartRanges, charts, chartZones, showTime } from '../../store/charts.ts'
import { lists, perEntity, type Entity } from '../../store/lists.ts'
import { notices } from '../../store/notices.ts'
import { listQuestion, showInList, shownOfList, type ListQuestion } from './lists.ts'
import { oneOf, question, type Question } from './question.ts'

interface Parts<State> {
  readonly question: Question<State>
  /** What it shows now. */
  shown(): State
  show(state: State): void
  /** Whether Back is to lead from the one to the other, which differ; without it, always. */
  isStep?(before: State, after: State): boolean
  /** Whether all that changed is the text that is searched for. */
  isSearch?(before: State, after: State): boolean
}

/** A screen whose parameters are known only here: outside they are the query of an address. */
export interface AddressedScreen {
  /** The query for what it shows now. */
  query(): string
  /** Shows what a query says; what it leaves out is as it is by default. */
  show(query: string): void
  /** Whether a query says anything. */
  says(query: string): boolean
  isStep(before: string, after: string): boolean
  isSearch(before: string, after: string): boolean
}

function screen<State extends object>(parts: Parts<State>): AddressedScreen {
  const { encode, decode, defaults } = parts.question
  const stateOf = (query: string): State => ({ ...defaults, ...decode(query) })
  return {
    query: () => encode(parts.shown()),
    show(query) {
      const state = stateOf(query)
      // An amount is as it was typed, as long as it means what the query says.
      if (encode(state) !== encode(parts.shown())) parts.show(state)
    },
    says: query => Object.keys(decode(query)).length > 0,
    isStep: (before, after) => parts.isStep?.(stateOf(before), stateOf(after)) ?? true,
    isSearch: (before, after) => parts.isSearch?.(stateOf(before), stateOf(after)) ?? false,
  }
}

/** How a search is compared matters only where something is searched for. */
const isSameSearch = (one: ListQuestion, other: ListQuestion): boolean =>
  one.search === other.search && (one.search === '' || (one.column === other.column && one.operator === other.operator))

const isSameOrder = (one: ListQuestion, other: ListQuestion): boolean =>
  one.sort === other.sort && one.direction === other.direction && one.limit === other.limit

/** Whether a page lies past the end, after a deletion say: it has given way to the last one. */
function isPastEnd(entity: Entity, { page }: ListQuestion): boolean {
  const list = lists[entity]
  const count = cachedList(entity, { ...list, page })?.count
  return page > 1 && count !== undefined && (page - 1) * list.limit >= count
}

const list = (entity: Entity): AddressedScreen =>
  screen({
    question: listQuestion(entity),
    shown: () => shownOfList(entity),
    show: state => showInList(entity, state),
    isStep(before, after) {
      if (!isSameSearch(before, after) || !isSameOrder(before, after)) return true
      return before.page !== after.page && !isPastEnd(entity, before)
    },
    isSearch: (before, after) =>
      before.search !== after.search &&
      after.search !== '' &&
      before.column === after.column &&
      before.operator === after.operator &&
      isSameOrder(before, after),
  })

/** The same instant, as it is written in the store. */
function instant(text: string): string | undefined {
  if (!/^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/.test(text)) return undefined
  const time = Date.parse(text)
  if (Number.isNaN(time)) return undefined
  const iso = new Date(time).toISOString()
  return inCalendar(iso.slice(0, 10)) ? iso : undefined
}

function day(text: string): Day | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || !inCalendar(text)) return undefined
  const wall = wallOf(text)
  // There is no thirtieth of February.
  return !Number.isNaN(wall) && dayAt(wall) === text ? text : undefined
}

interface ChartsQuestion {
  readonly range: (typeof chartRanges)[number]
  readonly until: string | undefined
  readonly zone: (typeof chartZones)[number]
}

interface CalendarQuestion {
  readonly view: CalendarView | undefined
  readonly date: Day | undefined
}

interface NotificationsQuestion {
  /** Those shown, separated by commas; undefined is all. */
  readonly types: string | undefined
  readonly devices: 'selected' | undefined
}

interface JobsQuestion {
  readonly job: string | undefined
  readonly filter: OutcomeFilter
}

/** The types that are in a list and exist. Where a list has none of them although it is not empty, it means nothing. */
function knownTypes(text: string): string | undefined {
  const named = text.split(',')
  const known = notificationTypes.filter(type => named.includes(type))
  if (known.length === notificationTypes.length) return undefined
  return known.length > 0 || text === '' ? known.join(',') : undefined
}

const firstShown = ({ view, date }: CalendarQuestion): Day =>
  visibleDays(calendarView(view), date ?? todayIn(systemTimeZone(), Date.now())).first

export const screens: Readonly<Partial<Record<Place, AddressedScreen>>> = {
  ...perEntity(list),
  charts: screen({
    question: question<ChartsQuestion>(
      { range: 'day', until: undefined, zone: 'viewer' },
      { range: oneOf(chartRanges), until: instant, zone: oneOf(chartZones) },
    ),
    shown: () => ({ range: charts.range, until: charts.until, zone: charts.zone }),
    show: state => showTime({ ...state, at: undefined }),
  }),
  calendar: screen({
    question: question<CalendarQuestion>(
      { view: undefined, date: undefined },
      { view: oneOf(calendarViews), date: day },
    ),
    shown: () => ({ view: calendar.view, date: calendar.date }),
    show: state => void Object.assign(calendar, state),
    // From one day to another of those that are shown, only the focus has moved.
    isStep: (before, after) =>
      calendarView(before.view) !== calendarView(after.view) || firstShown(before) !== firstShown(after),
  }),
  notifications: screen({
    question: question<NotificationsQuestion>(
      { types: undefined, devices: undefined },
      { types: knownTypes, devices: oneOf<'selected'>(['selected']) },
    ),
    shown: () => ({
      types: knownTypes(notificationTypes.filter(type => !notices.hidden.includes(type)).join(',')),
      devices: notices.onlySelected ? 'selected' : undefined,
    }),
    show({ types, devices }) {
      const shown = types?.split(',')
      notices.hidden = shown ? notificationTypes.filter(type => !shown.includes(type)) : []
      notices.onlySelected = devices === 'selected'
    },
  }),
  jobs: screen({
    question: question<JobsQuestion>(
      { job: undefined, filter: 'all' },
      { job: text => (/^[\w-]{1,60}$/.test(text) ? text : undefined), filter: oneOf(outcomeFilters) },
    ),
    // A filter is that of one job, and not of whichever is the newest by then.
    shown: () => ({
      job: jobs.view.job ?? (jobs.view.filter === 'all' ? undefined : jobs.list[0]?.id),
      filter: jobs.view.filter,
    }),
    show: state => void Object.assign(jobs.view, state, { target: undefined }),
    // From one job to another, only the focus has moved.
    isStep: (before, after) => before.filter !== after.filter && (before.job ?? after.job) === after.job,
  }),
}
