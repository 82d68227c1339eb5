import { describe, expect, it } from 'vitest'
import { CLIP_LINES, clipOutput, shortPath } from './clip.ts'

describe('a long output', () => {
  it('is whole up to the limit, without the empty lines at its end', () => {
    expect(clipOutput('a\nb\n\n')).toEqual({ kind: 'whole', text: 'a\nb' })
  })

  it('keeps head and tail and says how many lines are hidden', () => {
    const clipped = clipOutput(Array.from({ length: 1000 }, (_, index) => `line ${index + 1}`).join('\n'))
    expect(clipped).toMatchObject({ kind: 'lines', hidden: 1000 - CLIP_LINES })
    if (clipped.kind !== 'lines') throw new Error('not clipped')
    expect(clipped.head.split('\n')[0]).toBe('line 1')
    expect(clipped.tail.split('\n').at(-1)).toBe('line 1000')
    expect(clipped.head.split('\n').length + clipped.tail.split('\n').length).toBe(CLIP_LINES)
  })

  it('of one endless line is clipped by characters', () => {
    expect(clipOutput('x'.repeat(50_000))).toMatchObject({ kind: 'chars', hidden: 42_000 })
  })

  it('bounds what it shows even when single lines are endless', () => {
    const clipped = clipOutput(Array.from({ length: 50 }, () => 'x'.repeat(100_000)).join('\n'))
    expect(clipped.kind === 'lines' && clipped.head.length + clipped.tail.length).toBe(8000)
  })
})

describe('names and paths', () => {
  it('are shown relative to the folder of the session', () => {
    expect(shortPath('/p/src/a.ts', '/p')).toBe('src/a.ts')
    expect(shortPath('/px/a.ts', '/p')).toBe('/px/a.ts')
    expect(shortPath('/p/a.ts', null)).toBe('/p/a.ts')
  })
})
