/** Why a job cannot be created, as server or console say it. */
import { formatNumber } from '../format.ts'

export const retryOnce = 'A retry cannot be repeated'

/** Returns why `count` devices cannot be given by their ids: a job takes `max` ids. */
export const tooManyForJob = (count: number, max: number): string =>
  `A job takes at most ${formatNumber(max)} devices by their ids, and ${formatNumber(count)} are selected. Select fewer, or “Select all that match” a search`
