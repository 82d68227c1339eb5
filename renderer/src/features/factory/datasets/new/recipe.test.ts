import { describe, expect, it } from 'vitest'
import { DatasetRecipe } from '#contracts/entities/dataset.ts'
import { commandOf, EMPTY, recipeOf, requestOf } from './recipe.ts'

describe('the recipe of a form', () => {
  it('omits default values', () => {
    expect(requestOf(EMPTY)).toEqual({ kind: 'sft' })
    expect(recipeOf(EMPTY)).toEqual({ recipe: DatasetRecipe.parse({ kind: 'sft' }) })
  })

  it('contains the typed values', () => {
    const draft = {
      ...EMPTY,
      name: ' mine ',
      tiers: ['gold' as const],
      repos: 'a\n\n b ',
      maxTurns: '7',
      val: '0.2',
      balance: [{ by: 'repo' as const, cap: '50', weights: 'api=0.5\nweb = 2' }],
      privacyOff: true,
      privacyOffReason: 'own notes only',
    }
    expect(recipeOf(draft)).toMatchObject({
      recipe: {
        name: 'mine',
        tiers: ['gold'],
        repos: ['a', 'b'],
        examples: { maxTurns: 7, gapMinutes: 5 },
        split: { val: 0.2, test: 0 },
        balance: [{ by: 'repo', cap: 50, weights: { api: 0.5, web: 2 } }],
        privacyOff: 'own notes only',
      },
    })
  })

  it('names the field of an invalid value', () => {
    const errorsOf = (part: Partial<typeof EMPTY>) => {
      const read = recipeOf({ ...EMPTY, ...part })
      return 'errors' in read ? Object.keys(read.errors) : []
    }
    expect(errorsOf({ val: 'x' })).toEqual(['split.val'])
    expect(recipeOf({ ...EMPTY, val: 'x' })).toEqual({ errors: { 'split.val': 'This is not a number.' } })
    expect(errorsOf({ val: '0.6', test: '0.5' })).toEqual(['split.test'])
    expect(errorsOf({ privacyOff: true })).toEqual(['privacyOff'])
    expect(errorsOf({ balance: [{ by: 'tool', cap: '', weights: 'Bash' }] })).toEqual(['balance.0.weights.Bash'])
  })

  it('has an equivalent command with correct quoting', () => {
    expect(commandOf(EMPTY)).toBe('bashgym dataset build --kind sft')
    const command = commandOf({ ...EMPTY, query: "it's tool:Bash", tiers: ['gold'], near: false, maxTurns: '5', against: '/a b.jsonl' })
    expect(command).toBe(
      String.raw`bashgym dataset build --kind sft --query 'it'\''s tool:Bash tier:gold' --max-turns 5 --against '/a b.jsonl' --recipe '{"dedup":{"near":false}}'`,
    )
  })
})
