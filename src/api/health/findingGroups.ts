/** Findings that belong together, as notifications and the overview show them: one line in place of many. */
import type { FindingGroup } from '../contract/health/fleet.ts'

/** Returns the group of each finding that has one, by the finding's id. */
export const groupsByFinding = (groups: readonly FindingGroup[]): ReadonlyMap<string, FindingGroup> =>
  new Map(groups.flatMap(group => group.findings.map(id => [id, group] as const)))

/** Returns the id of a group's line. */
export const lineIdOf = ({ _id }: FindingGroup): string => `findings-${_id}`
