/** Visits that replace cartridges: those of one water supply that are due in the same week, together. */
import { msPerDay, msPerMinute } from '../time.ts'
import { instantOf } from '../zone.ts'
import { addDays, todayIn, wallOf, weekStart, type Day } from './days.ts'

/** A cartridge and when it is due: 80 % of the actual ends lie between early and late. Times are ISO 8601. */
export interface DueCartridge {
  readonly bssid: string
  readonly position: number
  /** The model of the cartridge. */
  readonly model: string
  readonly due_at: string
  readonly early_at: string
  readonly late_at: string
}

/** Where a device is visited. */
export interface VisitPlace {
  readonly vendor: { readonly _id: string; readonly company_name: string }
  readonly water_supply: string | null
}

/** A visit of at most so many devices as an event can have. Times are ISO 8601. */
export interface Visit extends VisitPlace {
  readonly at: string
  readonly until: string
  readonly cartridges: readonly DueCartridge[]
  /** The number of its devices. */
  readonly count: number
  /** A supply and week with too many devices is divided into `parts` visits; this is number `part`, from 1. */
  readonly part: number
  readonly parts: number
}

interface Planning {
  /** The time zone in which weeks and working hours are counted. */
  readonly zone: string
  /** Milliseconds. */
  readonly now: number
  /** The most devices of a visit. */
  readonly maxDevices: number
}

/** Positions of the cartridges to replace, by device; of other devices, what is due first. */
export type ChosenCartridges = Readonly<Record<string, readonly number[]>>

/** When work begins, in minutes after midnight, on Monday to Friday. */
const workStart = 9 * 60
const workDays = 5
/** Minutes that a device takes, and the minimum and the maximum of a visit. */
const minutesOf = { device: 30, min: 60, max: 8 * 60 }

const workStartOn = (zone: string, day: Day): number => instantOf(zone, wallOf(day, workStart))
const isWorkDay = (day: Day): boolean => day < addDays(weekStart(day), workDays)

/** Returns the next time at which a visit can begin, in milliseconds: 09:00 on the first working day after today. */
export function nextVisitStart(zone: string, now: number): number {
  let day = addDays(todayIn(zone, now), 1)
  while (!isWorkDay(day)) day = addDays(day, 1)
  return workStartOn(zone, day)
}

/**
 * Returns the Monday of the week in which a cartridge is replaced: that of its due time, or if it is overdue, that of the
 * next time at which a visit can begin. `next`: see `nextVisitStart`.
 */
const weekOf = ({ due_at }: DueCartridge, zone: string, next: number): Day =>
  weekStart(todayIn(zone, Math.max(Date.parse(due_at), next)))

/**
 * Returns the visits of these cartridges, earliest first: one for each vendor, supply and week, or several if it has too
 * many devices. A device's cartridges that are due in the same week are in the same visit.
 */
export function visitsOf(cartridges: readonly (DueCartridge & VisitPlace)[], planning: Planning): Visit[] {
  const { zone, now } = planning
  const next = nextVisitStart(zone, now)
  const groups = Map.groupBy(cartridges, cartridge =>
    JSON.stringify([cartridge.vendor._id, cartridge.water_supply, weekOf(cartridge, zone, next)]),
  )
  return [...groups.values()]
    .flatMap(group => visitsOfWeek(group, weekOf(group[0]!, zone, next), next, planning))
    .toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at))
}

function visitsOfWeek(
  cartridges: readonly (DueCartridge & VisitPlace)[],
  week: Day,
  next: number,
  { zone, maxDevices }: Planning,
): Visit[] {
  const { vendor, water_supply } = cartridges[0]!
  const start = visitStart(cartridges, week, zone, next)
  const devices = [...Map.groupBy(cartridges, ({ bssid }) => bssid).values()]
  const parts = Math.ceil(devices.length / maxDevices)
  // Of almost equal size, so that the last one is not a remainder.
  const size = Math.ceil(devices.length / parts)
  return Array.from({ length: parts }, (_, index) => {
    const own = devices.slice(index * size, (index + 1) * size)
    const minutes = Math.max(minutesOf.min, Math.min(own.length * minutesOf.device, minutesOf.max))
    return {
      vendor,
      water_supply,
      at: new Date(start).toISOString(),
      until: new Date(start + minutes * msPerMinute).toISOString(),
      cartridges: own.flat().map(({ bssid, position, model, due_at, early_at, late_at }) => ({
        bssid,
        position,
        model,
        due_at,
        early_at,
        late_at,
      })),
      count: own.length,
      part: index + 1,
      parts,
    }
  })
}

/**
 * Returns when to replace these cartridges in a week: at the start of a working day on which the fewest are late, then the
 * most are within early–late, then the fewest hours after they are due, and of such days the last, so that they are used up.
 * On the last working day before that week, if one would be late on each of its days. Not before `next`.
 */
export function visitStart(cartridges: readonly DueCartridge[], week: Day, zone: string, next: number): number {
  const spans = cartridges.map(({ early_at, due_at, late_at }) => ({
    early: Date.parse(early_at),
    due: Date.parse(due_at),
    late: Date.parse(late_at),
  }))
  const costsOf = (start: number) => [
    spans.filter(({ late }) => late < start).length,
    -spans.filter(({ early, late }) => early <= start && start <= late).length,
    spans.reduce((sum, { due }) => sum + Math.max(0, start - due), 0),
    -start,
  ]
  const isBetter = (one: number, other: number) => {
    const others = costsOf(other)
    const difference = costsOf(one)
      .map((cost, index) => cost - others[index]!)
      .find(value => value !== 0)
    return difference !== undefined && difference < 0
  }
  const best = Array.from({ length: workDays }, (_, index) => workStartOn(zone, addDays(week, index)))
    .filter(start => start >= next)
    .reduce((one, other) => (isBetter(other, one) ? other : one))
  const fridayBefore = workStartOn(zone, addDays(week, -3))
  const isLateOnlyThen = spans.some(({ late }) => fridayBefore <= late && late < best)
  return isLateOnlyThen && fridayBefore >= next ? fridayBefore : best
}

/** A device with its cartridges, and for each of them the start of an event of about the time when it is due. */
export interface DueDevice extends VisitPlace {
  readonly bssid: string
  readonly cartridges: readonly (DueCartridge & { readonly planned_at: string | null })[]
}

/** The longest range of a plan in days: a forecast that reaches further is too uncertain for a day. */
export const maxPlanDays = 100

export const skipReasons = {
  absent: 'Device not found',
  unknown: 'No forecast yet',
  planned: 'Has an event already',
  later: `Not due within ${maxPlanDays} days`,
}

/** Visits to plan, and the devices without one. */
export interface VisitPlan {
  readonly visits: readonly Visit[]
  readonly skipped: readonly { readonly id: string; readonly message: string }[]
}

/**
 * Returns the next visits of these devices: each device is in one, with what is due in the week of its first cartridge. Chosen
 * cartridges are due at the next time at which a visit can begin, whatever their forecast says.
 */
export function nextVisits(
  ids: readonly string[],
  devices: readonly DueDevice[],
  planning: Planning,
  chosen: ChosenCartridges = {},
): VisitPlan {
  const known = new Map(devices.map(device => [device.bssid, device]))
  const next = nextVisitStart(planning.zone, planning.now)
  const skipped: { id: string; message: string }[] = []
  const due = ids.flatMap(id => {
    const device = known.get(id)
    const positions = chosen[id]
    const isChosen = ({ position }: DueCartridge) => positions?.includes(position) === true
    const cartridges = device?.cartridges.map(each =>
      isChosen(each) ? { ...each, due_at: earlierOf(each.due_at, next) } : each,
    )
    const first = (positions ? cartridges?.filter(isChosen) : cartridges)?.toSorted(
      (a, b) => Date.parse(a.due_at) - Date.parse(b.due_at),
    )[0]
    const reason = reasonAgainst(device, first, planning.now)
    if (!device || !cartridges || !first || reason !== undefined) {
      skipped.push({ id, message: reason ?? skipReasons.unknown })
      return []
    }
    const week = weekOf(first, planning.zone, next)
    const { vendor, water_supply } = device
    return cartridges
      .filter(cartridge => weekOf(cartridge, planning.zone, next) === week)
      .map(cartridge => ({ ...cartridge, vendor, water_supply }))
  })
  return { visits: visitsOf(due, planning), skipped }
}

const earlierOf = (time: string, instant: number): string =>
  Date.parse(time) <= instant ? time : new Date(instant).toISOString()

function reasonAgainst(
  device: DueDevice | undefined,
  first: DueDevice['cartridges'][number] | undefined,
  now: number,
): string | undefined {
  if (!device) return skipReasons.absent
  if (!first) return skipReasons.unknown
  if (first.planned_at !== null) return skipReasons.planned
  return Date.parse(first.due_at) > now + maxPlanDays * msPerDay ? skipReasons.later : undefined
}
