import path from 'node:path'
import { expect, it } from 'vitest'
import { growthFault, noteMeasured, patternsIn, unitsOf, unmeasured, type Pattern } from './testing-growth.ts'

/** As the sources use it at the worst: everywhere in a text. */
function everywhere({ source, flags }: Pattern): (text: string) => void {
  const form = new RegExp(source, flags.includes('y') || flags.includes('g') ? flags : `${flags}g`)
  return (text) => {
    for (const _ of text.matchAll(flags.includes('y') ? new RegExp(source, flags.replace(/g?$/, 'g')) : form)) continue
  }
}

it('no regular expression takes more than linear time on a text that is made for it', async () => {
  const server = patternsIn(import.meta.dirname, (file) => !file.startsWith('detect/'))
  const contracts = patternsIn(path.join(import.meta.dirname, '../../contracts/src'))
  expect(server.length).toBeGreaterThan(250)
  const faults: string[] = []
  for (const pattern of unmeasured([...server, ...contracts])) {
    for (const sample of unitsOf(pattern, 1)) {
      for (const unit of new Set([`${sample} `, sample[0]!])) {
        const fault = await growthFault(everywhere(pattern), unit)
        if (fault !== null) faults.push(`${pattern.where} /${pattern.source}/ on ${fault}`)
      }
    }
  }
  expect(faults).toEqual([])
  noteMeasured([...server, ...contracts])
}, 300_000)
