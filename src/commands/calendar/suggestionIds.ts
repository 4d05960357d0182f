/** The ids of events that stand for suggested visits. Apart from these, because events are drawn on screens without them. */
import type { Visit } from '../../domain/calendar/visits.ts'

const prefix = 'visit:'

/** Returns the id of the event that stands for a visit. A cartridge is in one visit only. */
export const suggestionId = ({ cartridges: [first] }: Visit): string => `${prefix}${first?.bssid}/${first?.position}`

/** Whether an event stands for a suggested visit. */
export const isSuggestion = (event: string): boolean => event.startsWith(prefix)
