import { formatNumber } from './format.ts'

/** Returns a count with its noun: `1 day`, `1,200 days`. */
export const plural = (count: number, noun: string): string => `${formatNumber(count)} ${noun}${count === 1 ? '' : 's'}`
