import type { DeriveInput } from './derived.ts'
import type { ReaderAnalyser } from './readers/reader.ts'
import type { Analyser } from './types.ts'

/** Loads the analysers of other stages by the URLs of their modules. */
export function loadAnalysers(uses: DeriveInput['analysers']): Promise<ReaderAnalyser[]> {
  return Promise.all(
    uses.map(async ({ url, options }) => {
      const module = (await import(url)) as { analyser: Analyser }
      return { analyser: module.analyser, options }
    }),
  )
}
