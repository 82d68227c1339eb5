/** A growing curve in few points: every `stride`-th value. When there are too many, every second one is dropped. */
export interface Spark {
  values: (number | null)[]
  stride: number
  /** All values so far, including the dropped ones. */
  count: number
}

const MAX_POINTS = 40

export const EMPTY_SPARK: Spark = { values: [], stride: 1, count: 0 }

export function addToSpark({ values, stride, count }: Spark, value: number | null): Spark {
  if (count % stride !== 0) return { values, stride, count: count + 1 }
  if (values.length < MAX_POINTS) return { values: [...values, value], stride, count: count + 1 }
  const thinned = values.filter((_, index) => index % 2 === 0)
  return addToSpark({ values: thinned, stride: stride * 2, count }, value)
}
