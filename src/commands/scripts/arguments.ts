/** Returns the name of a step's argument among the arguments of the script; `step` counts from 0. */
export const argumentName = (step: number, field: string): string => `${step + 1}.${field}`
