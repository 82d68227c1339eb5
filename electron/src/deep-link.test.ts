import { describe, expect, it } from 'vitest'
import { deepLinkIn, pathOfDeepLink } from './deep-link.ts'

const ID = 'abcdefghijklmnopqrstuvwx23'

describe('a deep link', () => {
  it('to a trace opens the page of the trace', () => {
    expect(pathOfDeepLink(`bashgym://trace/${ID}`)).toBe(`/traces?id=${ID}`)
    expect(pathOfDeepLink(`bashgym://trace/${ID}/`)).toBe(`/traces?id=${ID}`)
  })

  it.each([
    `https://trace/${ID}`,
    `bashgym://traces/${ID}`,
    `bashgym://trace/${ID}?x=1`,
    `bashgym://trace/${ID}#code=x`,
    `bashgym://trace/${ID.toUpperCase()}`,
    'bashgym://trace/../../docs',
    'bashgym://trace/',
    `bashgym://trace/${ID}\nbashgym://trace/${ID}`,
    '',
  ])('of any other form is ignored: %j', (link) => {
    expect(pathOfDeepLink(link)).toBeNull()
  })

  it('is found among the command line arguments', () => {
    expect(deepLinkIn(['/opt/app', '--no-sandbox', `bashgym://trace/${ID}`])).toBe(`/traces?id=${ID}`)
    expect(deepLinkIn(['/opt/app', '--home', '/x'])).toBeNull()
  })
})
