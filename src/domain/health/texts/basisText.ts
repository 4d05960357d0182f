/** What a forecast rests on, in words. */
import { plural } from '../../plural.ts'
import { clogged } from '../thresholds.ts'

const names = { date: 'by its date', litres: 'by litres', condition: 'by its condition' } as const

/** The loss of pressure, in %, at which a pre-filter is used up. */
const lost = Math.round(100 * (1 - Math.exp(clogged)))

interface Basis {
  readonly basis: keyof typeof names
  readonly like_ends: number | null
}

/** Returns what a forecast rests on: `by litres`, or `by 12 like pre-filters on this supply`. */
export const basisText = ({ basis, like_ends }: Basis): string =>
  like_ends === null ? names[basis] : `by ${plural(like_ends, 'like pre-filter')} on this supply`

/** Returns how like pre-filters show when one is due; undefined for a forecast that rests on something else. */
export const likeText = ({ like_ends }: Pick<Basis, 'like_ends'>): string | undefined =>
  like_ends === null
    ? undefined
    : `${plural(like_ends, 'pre-filter')} on this supply lost ${lost} % of the pressure after more litres than this one has filtered. They say when it is due until its own pressure falls.`
