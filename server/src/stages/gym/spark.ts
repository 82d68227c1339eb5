/** A curve in few points, kept while it grows: every `stride`-th value, thinned by half when there are too many. */
export interface Spark {
  values: (number | null)[]
  stride: number
  /** Values seen. */
  count: number
}

const MOST = 40

export const EMPTY_SPARK: Spark = { values: [], stride: 1, count: 0 }

export function addToSpark({ values, stride, count }: Spark, value: number | null): Spark {
  if (count % stride !== 0) return { values, stride, count: count + 1 }
  if (values.length < MOST) return { values: [...values, value], stride, count: count + 1 }
  const thinned = values.filter((_, index) => index % 2 === 0)
  return addToSpark({ values: thinned, stride: stride * 2, count }, value)
}
