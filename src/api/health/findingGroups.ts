/** Findings that belong together, as notifications and the overview show them: one line in place of many. */
import type { FindingGroup } from '../contract/health/fleet.ts'

/** Returns the group of each finding that has one, by the finding's id. */
export const groupsByFinding = (groups: readonly FindingGroup[]): ReadonlyMap<string, FindingGroup> =>
  new Map(groups.flatMap(group => group.findings.map(id => [id, group] as const)))

/** Returns the id of a group's line, which stays the same while the group grows. */
export const lineIdOf = ({ vendor, water_supply, cause, found_from }: FindingGroup): string =>
  `findings ${vendor._id} ${water_supply} ${cause} ${found_from}`
