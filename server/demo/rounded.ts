/** Returns a value with this many digits after the point. */
export const rounded = (value: number, digits: number): number => Number(value.toFixed(digits))
