/** Dash patterns of a chart's series, in pixels; the first series is solid. */
export const dashes: readonly (readonly number[])[] = [[], [4, 3]]
