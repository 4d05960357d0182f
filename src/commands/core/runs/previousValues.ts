import type { PreviousValues } from '../../../api/contract/endpoint.ts'

/** Returns the previous values of the changed arguments of one row, for undo; `had` is keyed by argument name. */
export const previousValues = (
  id: string,
  changes: Readonly<Record<string, unknown>>,
  had: Readonly<Record<string, unknown>>,
): readonly PreviousValues[] => {
  const names = Object.keys(changes).filter(name => changes[name] !== undefined)
  return [{ ids: [id], values: Object.fromEntries(names.map(name => [name, had[name]])) }]
}
