/** The name that an argument of a step has among those of its script; `step` is counted from 0. */
export const argumentName = (step: number, field: string): string => `${step + 1}.${field}`
