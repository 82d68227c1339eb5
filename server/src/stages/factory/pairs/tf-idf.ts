import { tokensOf } from '../curate/text.ts'

type Vector = Map<string, number>

/**
 * Cosine of TF-IDF vectors of short texts: term frequency × (ln((1 + n) / (1 + df)) + 1), scaled to length 1, where n and
 * df are of the texts of both sides together.
 */
export class TfIdf {
  private readonly documents = new Map<string, number>()
  private count = 0

  constructor(texts: Iterable<string>) {
    for (const text of texts) {
      this.count += 1
      for (const token of new Set(tokensOf(text))) this.documents.set(token, (this.documents.get(token) ?? 0) + 1)
    }
  }

  vector(text: string): Vector {
    const weights: Vector = new Map()
    for (const token of tokensOf(text)) weights.set(token, (weights.get(token) ?? 0) + 1)
    let square = 0
    for (const [token, frequency] of weights) {
      const weight = frequency * (Math.log((1 + this.count) / (1 + (this.documents.get(token) ?? 0))) + 1)
      weights.set(token, weight)
      square += weight * weight
    }
    for (const [token, weight] of weights) weights.set(token, weight / Math.sqrt(square))
    return weights
  }
}

/** Vectors by their words, so that a text meets only those that share one. */
export class VectorIndex {
  private readonly postings = new Map<string, { at: number; weight: number }[]>()

  add(at: number, vector: Vector): void {
    for (const [token, weight] of vector) {
      const list = this.postings.get(token)
      if (list) list.push({ at, weight })
      else this.postings.set(token, [{ at, weight }])
    }
  }

  /** Cosine with each vector that shares a word. */
  cosines(vector: Vector): Map<number, number> {
    const sums = new Map<number, number>()
    for (const [token, weight] of vector)
      for (const posting of this.postings.get(token) ?? []) sums.set(posting.at, (sums.get(posting.at) ?? 0) + weight * posting.weight)
    return sums
  }
}
