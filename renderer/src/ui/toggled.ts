/** The list with the value added at its end, or without it. */
export const toggled = <Value>(list: readonly Value[], value: Value): Value[] =>
  list.includes(value) ? list.filter((other) => other !== value) : [...list, value]
