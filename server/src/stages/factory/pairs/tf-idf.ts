import { tokensOf } from '../curate/text.ts'

type Vector = Map<string, number>

/**
 * TF-IDF vectors of short texts: term frequency × (ln((1 + n) / (1 + df)) + 1), scaled to length 1, where n is the number of
 * all texts and df the number of texts with the term.
 */
export class TfIdf {
  private readonly documentCounts = new Map<string, number>()
  private count = 0

  constructor(texts: Iterable<string>) {
    for (const text of texts) {
      this.count += 1
      for (const token of new Set(tokensOf(text))) this.documentCounts.set(token, (this.documentCounts.get(token) ?? 0) + 1)
    }
  }

  vector(text: string): Vector {
    const weights: Vector = new Map()
    for (const token of tokensOf(text)) weights.set(token, (weights.get(token) ?? 0) + 1)
    let square = 0
    for (const [token, frequency] of weights) {
      const weight = frequency * (Math.log((1 + this.count) / (1 + (this.documentCounts.get(token) ?? 0))) + 1)
      weights.set(token, weight)
      square += weight * weight
    }
    for (const [token, weight] of weights) weights.set(token, weight / Math.sqrt(square))
    return weights
  }
}

/** An inverted index, so that a text is compared only with texts that share a word. */
export class VectorIndex {
  private readonly postings = new Map<string, { at: number[]; weight: number[] }>()
  private size = 0

  add(at: number, vector: Vector): void {
    this.size = Math.max(this.size, at + 1)
    for (const [token, weight] of vector) {
      const list = this.postings.get(token) ?? { at: [], weight: [] }
      this.postings.set(token, list)
      list.at.push(at)
      list.weight.push(weight)
    }
  }

  /** The cosine with each added vector, by its number. */
  cosines(vector: Vector): Float64Array {
    const sums = new Float64Array(this.size)
    for (const [token, ownWeight] of vector) {
      const list = this.postings.get(token)
      if (!list) continue
      const { at, weight } = list
      for (let index = 0; index < at.length; index += 1) sums[at[index]!]! += ownWeight * weight[index]!
    }
    return sums
  }
}
